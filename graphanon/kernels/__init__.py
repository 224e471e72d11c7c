"""Compiled loops: free functions on arrays."""
