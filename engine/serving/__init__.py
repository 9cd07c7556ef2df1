"""One streamed request to a fresh server, over HTTP, as a program: `python -m engine.serving`.

A command in, a raw file out (`evidence-ledger/stream/v1`): `command` reads the words, `server`
starts and stops, `client` asks and keeps the time, `endpoints` knows what is said on the wire,
`feeding` gives tokens one by one, `measuring` walks the repetitions, `record` spells the file.
"""
