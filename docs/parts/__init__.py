"""What docs/generate.py writes into the pages."""
