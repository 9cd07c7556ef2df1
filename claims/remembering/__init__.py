"""Answers that are said again where nothing that they rest on has changed."""
