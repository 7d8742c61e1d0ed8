"""The lab's kernels: runs watched while they are played."""
