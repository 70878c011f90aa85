"""HMF: hierarchical memory filtering for writing assistants."""
