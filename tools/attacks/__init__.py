"""The attacks of tools/attack, by kind."""
