"""Files people write, turned into frozen objects or into problems with positions."""
