"""The audit of releases that claim a budget: declared mechanisms recomputed, answers held against them."""
