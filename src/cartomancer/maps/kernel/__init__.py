"""The map generators, validators and analytics on flat state: integers only, no strings, no allocation."""
