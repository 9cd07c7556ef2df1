"""Every figure again, from raw rows, with reducers of its own: standard library only.

What the product prints is computed by `engine.statistics`; a mistake there would be in every
receipt, every delta and every sentence, all of them signed and all of them agreeing. The modules
here share nothing with it but the readers of raw files and the registry of metrics.
"""
