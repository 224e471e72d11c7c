"""Methods that look at ties."""
