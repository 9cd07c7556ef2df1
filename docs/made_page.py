"""Pages that are made from the code: written, or with --check compared with what is there."""

import sys
from pathlib import Path


def main(path: Path, text: str, arguments: list[str]) -> int:
    """Write `text` to `path`, or compare it; return the exit code."""
    script = f"make_{path.stem}.py"
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"usage: {script} [--check]\n")
        return 2
    if not arguments:
        path.write_text(text, encoding="utf-8")
        return 0
    current = path.is_file() and path.read_text(encoding="utf-8") == text
    if not current:
        shown = path.relative_to(path.parents[2])
        sys.stderr.write(f"{shown} is not current; run docs/{script}\n")
    return 0 if current else 1
