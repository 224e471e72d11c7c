"""Anonymize attributed graphs and tables by clustering people and generalizing their attributes."""
