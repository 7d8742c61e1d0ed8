"""The rules of an encounter on flat state: integers only, no strings, no allocation."""
