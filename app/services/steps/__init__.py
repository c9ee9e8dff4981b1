"""What commands and panels do to the open document in one step."""
