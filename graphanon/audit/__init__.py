"""Promises recounted from the files of a release, as an outsider would."""
