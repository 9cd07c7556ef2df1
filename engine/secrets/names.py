"""Names that tell of a secret or a host behind them."""

import re
from functools import lru_cache

# Names. Case and dashes do not matter; a name is matched as a whole.

_OWNERS = (
    "hf|huggingface(?:_?hub)?|hugging_face(?:_hub)?|hub|access|auth|authentication|api|bearer|refresh"
    "|session|security|github|gh|gitlab|wandb|slack|bot|ngc|registry|secret|admin|id|jwt|deploy"
    "|private|personal_access|csrf|xsrf"
)
_NAMES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "api-key",
        re.compile(
            r".*api_?keys?|(?:.*_)?(?:(?:shared_?)?access|account|secret|private|signing|auth)_?key"
        ),
    ),
    ("token", re.compile(rf"(?:.*_)?(?:{_OWNERS})_?token|token")),
    ("password", re.compile(r".*(?:password|passwd|passphrase)")),
    ("secret", re.compile(r"(?:.*_)?(?:client)?secret")),
    ("authorization", re.compile(r"(?:proxy_)?authorization")),
    ("cookie", re.compile(r"(?:set_)?cookies?")),
    # Not hostname: that is how tools name the machine that was measured, which is a fact.
    ("host", re.compile(r"hosts?|(?:.*_)?(?:addr|ip)")),
    (
        "address",
        re.compile(
            r"(?:.*_)?(?:ur[li]s?|servers?|endpoints?|targets?|address(?:es)?|hosts?|api_base)|baseur[li]"
        ),
    ),
)
# The endings of these names: enough of each that few other words end so.
SECRETIVE = b"key keys token sword passwd phrase secret ization cookie cookies".split()
LOCAL = (
    rb"host hosts addr _ip \bip url urls uri uris server endpoint"
    rb" target address baseurl baseuri api_base servers endpoints targets addresses"
).split()


def names_a_secret(name: str) -> bool:
    """Say whether a setting of this name holds a secret, if it holds any text."""
    return kind_of(name.encode()) not in (None, "host", "address")


@lru_cache(1024)
def kind_of(name: bytes) -> str | None:
    """Return what stands behind a name, None where the name tells of no secret."""
    plain = name.decode("ascii", "replace").lower().lstrip("-").replace("-", "_").replace(".", "_")
    return next((kind for kind, pattern in _NAMES if pattern.fullmatch(plain)), None)
