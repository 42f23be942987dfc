"""How well the passages are chosen that are added to prompts."""
