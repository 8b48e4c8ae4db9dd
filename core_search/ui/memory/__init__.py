"""The Memory page: what is stored, a list for each kind of thing, and the memories themselves."""
