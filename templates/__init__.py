"""Jinja2 templates of everything that is printed for people, packaged as `claims.templates`."""
