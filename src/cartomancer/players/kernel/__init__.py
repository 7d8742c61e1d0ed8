"""The players' kernels: integers in, one action out."""
