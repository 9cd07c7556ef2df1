"""What the markers of a page bind."""
