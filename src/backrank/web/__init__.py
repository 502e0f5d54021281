"""The web app: JSON over the public verbs, event streams for long work, and the page; needs the extra `web`."""
