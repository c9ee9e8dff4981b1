"""Parts of the window that go about one job each."""
