"""The rules by family, one module each; `claims.rules` puts them together."""
