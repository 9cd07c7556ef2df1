"""The register as a static site: one page a claim, an index, no script, no network.

`view` turns a judgement and what the ledger says about it into what a reader is shown, `pages`
fills the templates, `folder` puts the files in place. A claim that does not hold is shown as
unavailable, with its reasons and never with its number.
"""
