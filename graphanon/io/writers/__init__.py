"""Writing people and ties in another format: one module a format, each from the same network to text or bytes.

What a format can carry is declared in one table (:mod:`graphanon.io.formats`). :mod:`graphanon.io.writers.fitting` holds
a network against it and names what would be lost before a byte is written; a writer only spells out what is
left; :mod:`graphanon.io.writers.saving` writes beside the place, reads that back, compares, and only then renames.
"""

__all__: list[str] = []
