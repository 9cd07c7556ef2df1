"""Tombstones, banners and generated pages: how a page keeps what no longer counts."""
