"""Reading people, ties and schemas as people have them."""
