"""How long methods take and how much memory they need: ``python -m benchmarks``."""
