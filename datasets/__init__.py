"""Data sets that come with graphanon."""
