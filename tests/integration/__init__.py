"""citeguard inside the frameworks people call language models with, over real HTTP."""
