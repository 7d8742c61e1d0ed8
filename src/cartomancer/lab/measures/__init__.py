"""What is measured of a batch of runs: every quantity is declared once, in a module of its own, and registered."""
