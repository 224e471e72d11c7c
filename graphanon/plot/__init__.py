"""Pictures drawn from release files."""
