"""How fast searches are, beside the fastest that the engines allow: `core-search bench`."""
