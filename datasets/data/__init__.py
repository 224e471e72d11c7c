"""The compressed files of the built-in data sets."""
