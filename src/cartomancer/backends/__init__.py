"""Where long work is done: this machine's threads, a CUDA device, or a cluster. Results are the same bits."""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
