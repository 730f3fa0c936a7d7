"""From a KeyView to the bytes one deck wants."""
