"""Sockets, connections, security headers, streams: what lies between the network and the app."""
