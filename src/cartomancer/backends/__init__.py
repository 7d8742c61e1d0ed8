"""Where long work is done: this machine's threads, a CUDA device, or a cluster. Results are the same bits."""
