"""A page judged by what an earlier check established, without reading it all again."""
