"""The open document as frozen values: state, edits, history, files. No Qt."""
