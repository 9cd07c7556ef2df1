"""A server is fed given tokens, one more with each request, and says what it would choose next.

    prompt                  argmax and likeliest tokens at place 0
    prompt + forced[:1]     … at place 1, whatever it had chosen at place 0

So one token that differs does not hide what comes after it. llama.cpp takes token ids, and tells
the id that it chose and the likeliest ones (`n_predict` 1, `return_tokens`, `n_probs`; of a token
that is no whole character the id alone); each request but the first finds the one before in the
server's cache. That makes the requests many and their times nobody's: none is taken. A server that
does not do all of this, or does not see the tokens that were sent, cannot be fed, and says so.
Source: llama.cpp tools/server README, POST /completion.
"""

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import httpx2

from engine.serving.asked import PATHS, Asked, Continuation
from engine.serving.faults import FaultError
from engine.serving.server import Server

_MAX_ANSWER = 4 * 1024 * 1024
_MAX_SAID = 200
Likely = tuple[int, str]
"""A token and the natural log of its chance, as the server spells it."""


def feed(asked: Asked, forced: Continuation, started: Server) -> dict[str, Any]:
    """Return the fields of a row: at each place the argmax, the likeliest ids and their logs.

    Raises `FaultError`, `not-fed` where the server cannot be fed.
    """
    row: dict[str, Any] = {"forced_ids": [], "forced_top_ids": [], "forced_top_logprobs": []}
    with httpx2.Client(trust_env=False, timeout=asked.request_seconds) as caller:
        for place in range(len(forced.tokens)):
            sent = [*asked.fixture.prompt, *forced.tokens[:place]]
            answer = _ask(caller, asked, started, _body(asked, forced, sent, cached=place > 0))
            started.requests += 1
            chosen, likeliest = _understood(answer, sent, forced.top)
            row["forced_ids"].append(chosen)
            row["forced_top_ids"].append([token for token, _ in likeliest])
            row["forced_top_logprobs"].append([log for _, log in likeliest])
    return row


def _body(asked: Asked, forced: Continuation, sent: list[Any], *, cached: bool) -> dict[str, Any]:
    """Return the request; what was asked of the stream holds here too, unless it contradicts."""
    own = {"prompt": sent, "n_predict": 1, "n_probs": forced.top, "cache_prompt": cached}
    # An end of the text is a choice like any other here.
    own |= {"temperature": 0, "seed": 0, "stream": False, "ignore_eos": False}
    own |= {"return_tokens": True, "post_sampling_probs": False}
    named = {"model": asked.model} if asked.model else {}
    return {**named, **asked.fields, **own}


def _ask(
    caller: httpx2.Client, asked: Asked, started: Server, body: Mapping[str, Any]
) -> dict[str, Any]:
    url = started.url + PATHS[asked.endpoint]
    try:
        with caller.stream("POST", url, json=body) as response:
            whole = _read(response)
            status = response.status_code
    except httpx2.TimeoutException as error:
        raise FaultError("timed-out", f"nothing came for {asked.request_seconds:g} s") from error
    except httpx2.TransportError as error:
        started.require_alive()
        raise FaultError("stream-cut", str(error)[:_MAX_SAID] or type(error).__name__) from error
    if status != httpx2.codes.OK:
        said = whole[:_MAX_SAID].decode("utf-8", "replace")
        raise FaultError("not-fed", f"the server answers token ids with status {status}: {said}")
    try:
        answer = json.loads(whole, parse_float=str)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise FaultError("not-fed", "the server answers token ids with something else than JSON")
    return answer


def _read(response: httpx2.Response) -> bytes:
    whole = b""
    for piece in response.iter_bytes():
        whole += piece
        if len(whole) > _MAX_ANSWER:
            raise FaultError("not-fed", f"an answer of one token is over {_MAX_ANSWER} bytes")
    return whole


def _understood(answer: Mapping[str, Any], sent: list[Any], top: int) -> tuple[int, list[Likely]]:
    """Return the token that it chose, and the likeliest ones with the logs of their chances."""
    seen = answer.get("tokens_evaluated")
    if seen != len(sent):
        raise FaultError("not-fed", f"{len(sent)} tokens were sent, the server saw {seen}")
    ids = answer.get("tokens")
    if not isinstance(ids, list) or len(ids) != 1 or type(ids[0]) is not int or ids[0] < 0:
        raise FaultError("not-fed", "the server does not tell which one token it chose")
    return ids[0], _likeliest(answer.get("completion_probabilities"), ids[0], top)


def _likeliest(told: Any, chosen: int, top: int) -> list[Likely]:
    """Return what is told of the place; nothing where its token is no whole character."""
    if not told:
        return []
    try:
        token, log = _pair(told[0])
        likeliest = [_pair(each) for each in told[0]["top_logprobs"]][:top]
    except (KeyError, TypeError, ValueError, InvalidOperation) as error:
        raise FaultError(
            "not-fed", "the chances that the server tells are not understood"
        ) from error
    better = [other for other, its in likeliest if Decimal(its) > Decimal(log)]
    if token != chosen or better:
        other = better[0] if better else token
        raise FaultError("not-fed", f"the server chose {chosen} and says that {other} is likelier")
    if chosen not in dict(likeliest):
        raise FaultError("not-fed", f"token {chosen} is not among the likeliest of its own answer")
    return likeliest


def _pair(told: Mapping[str, Any]) -> Likely:
    token, log = told["id"], str(told["logprob"])
    if type(token) is not int or token < 0 or not Decimal(log).is_finite():
        raise ValueError
    return token, log
