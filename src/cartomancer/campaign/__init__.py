"""What a run is made of: expeditions over maps; later the economy between them."""
