"""What a document is: frozen values, their history, ids and names."""
