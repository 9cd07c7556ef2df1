import gzip
import json
import os
import string
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.secrets import redaction

CORPUS = Path(os.environ.get("EVIDENCE_CORPUS", Path(__file__).parents[3] / "shared/corpus"))
ALNUM = string.ascii_letters + string.digits
SECRET = st.builds("{}{}{}".format, st.sampled_from("aQz"), st.text(ALNUM, min_size=34), st.just(7))
UPPER = st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=16)
SHAPES = {
    "api-key": "sk-proj-{}",
    "huggingface-token": "hf_{}",
    "github-token": "ghp_{}",
    "github-pat": "github_pat_{}",
    "slack-token": "xoxb-{}",
    "gitlab-token": "glpat-{}",
    "nvidia-api-key": "nvapi-{}",
    "google-api-key": "AIza{0:.35}",
    "jwt": "eyJ{0}.eyJ{0}.{0}",
}
PLACES = [
    "{}",
    '{{"model": "m", "n": [1.50, 2e-05], "x": "{}"}}',
    '{{"log": "first\\n{} last"}}',
    '{{"cmd": "run \\"{}\\" --fast"}}',
    "line one\nexport X={}\n",
]


def kinds(text):
    return [secret.kind for secret in redaction.find(text.encode())]


def clean(text):
    data = text.encode()
    return redaction.redact(data, redaction.find(data)).decode()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "shape"), SHAPES.items())
def test_a_secret_of_known_shape_is_found_wherever_it_stands(kind, shape, place):
    secret = shape.format("Ab1" * 12)

    assert kinds(place.format(secret)) == [kind]
    assert clean(place.format(secret)) == place.format(f"[redacted:{kind}]")


@settings(max_examples=60, deadline=None)
@given(
    SECRET,
    st.sampled_from(sorted(SHAPES)),
    st.sampled_from(PLACES),
    st.lists(st.floats(), max_size=3),
)
def test_no_secret_of_known_shape_survives(secret, kind, place, numbers):
    text = place.format(SHAPES[kind].format(secret)) + "\n" + json.dumps(numbers)

    assert secret not in clean(text)
    assert kinds(clean(text)) == []


@given(UPPER)
def test_the_key_id_of_a_cloud_does_not_survive(secret):
    assert clean(f'{{"id": "AKIA{secret}"}}') == '{"id": "[redacted:aws-access-key]"}'


NAMES = {
    "api-key": ["api_key", "apikey", "apiKey", "OPENAI_API_KEY", "x-api-key", "admin_api_key"],
    "token": ["access_token", "auth_token", "hf_token", "HF_TOKEN", "accessToken"],
    "password": ["password", "db_password"],
    "secret": ["secret", "client_secret"],
    "authorization": ["authorization", "Authorization"],
    "cookie": ["cookie", "Set-Cookie"],
}
NAMED = [(kind, name) for kind, names in NAMES.items() for name in names]


@pytest.mark.parametrize(("kind", "name"), NAMED)
def test_any_text_under_the_key_of_a_secret_is_one(kind, name):
    assert clean(f'{{"{name}": "letmein", "n": 1.0}}') == (
        f'{{"{name}": "[redacted:{kind}]", "n": 1.0}}'
    )
    assert clean(f'{{"{name}":["ab","c\\"d"]}}') == (
        f'{{"{name}":["[redacted:{kind}]","[redacted:{kind}]"]}}'
    )


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(NAMED), st.text(min_size=1), st.booleans(), st.sampled_from([None, 0, 2]))
def test_redacting_a_key_keeps_the_json_and_leaves_nothing_to_find(named, secret, ascii_, indent):
    kind, name = named
    document = {"before": [1, 2], name: secret, "after": {"x": "y"}}
    text = json.dumps(document, ensure_ascii=ascii_, indent=indent)

    result = clean(text)

    replaced = {**document, name: f"[redacted:{kind}]"}
    assert json.loads(result) == (replaced if kinds(text) else document)
    assert kinds(result) == []


@settings(max_examples=60, deadline=None)
@given(SECRET, st.sampled_from(["--api-key {}", "--hf-token={}", "HF_TOKEN={}", "--api-key '{}'"]))
def test_a_secret_in_a_command_line_does_not_survive(secret, form):
    text = json.dumps({"cmd": f"X=1 serve {form.format(secret)} --port 80", "n": 1.50})

    result = clean(text)

    assert secret not in result
    assert json.loads(result)["cmd"].endswith("--port 80") or "'" in form
    assert kinds(result) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '["serve", "--api-key", "abc", "-x"]',
            '["serve", "--api-key", "[redacted:api-key]", "-x"]',
        ),
        (
            r'{"cmd": "serve --api-key \"abc\" -x"}',
            r'{"cmd": "serve --api-key \"[redacted:api-key]\" -x"}',
        ),
        (
            "curl -H 'Authorization: Bearer abcdef-123456' x",
            "curl -H 'Authorization: Bearer [redacted:bearer-token]' x",
        ),
        (
            '{"u": "https://me:pa55@git.example/x"}',
            '{"u": "https://[redacted:url-credentials]@git.example/x"}',
        ),
        (
            "Namespace(base_url='http://10.1.2.3:80', host='127.0.0.1', api_key='abcd1234')",
            "Namespace(base_url='http://[redacted:host]:80', host='127.0.0.1', "
            "api_key='[redacted:api-key]')",
        ),
        (
            '{"k": "-----BEGIN PRIVATE KEY-----\\nMIIab+/=\\n-----END PRIVATE KEY-----\\n"}',
            '{"k": "[redacted:private-key]"}',
        ),
        (
            r'{"s": "{\"api_key\": \"abcd1234efgh\"}"}',
            r'{"s": "{\"api_key\": \"[redacted:api-key]\"}"}',
        ),
        ('{"token": "abcdef123456"}', '{"token": "[redacted:token]"}'),
        (
            "AccountName=lab;AccountKey=Ab12Cd34Ef56==",
            "AccountName=lab;AccountKey=[redacted:api-key]",
        ),
    ],
)
def test_only_the_bytes_of_the_secret_are_replaced(before, after):
    assert clean(before) == after
    assert clean(after) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"host": "gpu-7"}', '{"host": "[redacted:host]"}'),
        ('{"host": "selene"}', '{"host": "[redacted:host]"}'),
        ('{"base_url": "http://gpu-7:8000/v1"}', '{"base_url": "http://[redacted:host]:8000/v1"}'),
        ('{"url": "https://api.openai.com/v1"}', '{"url": "https://[redacted:host]/v1"}'),
        ('{"endpoint": "10.0.0.7:80"}', '{"endpoint": "[redacted:host]:80"}'),
        ('{"dist_init_addr": "node0:20000"}', '{"dist_init_addr": "[redacted:host]:20000"}'),
        ('{"urls": ["http://a:1", "http://b:2"]}',
         '{"urls": ["http://[redacted:host]:1", "http://[redacted:host]:2"]}'),
        ('{"host": "fe80::1:2"}', '{"host": "[redacted:host]"}'),
        ("serve --host gpu-7 --base-url http://x.lan/v1",
         "serve --host [redacted:host] --base-url http://[redacted:host]/v1"),
        ('{"c": "x --url \\"gpu-7:80\\""}', '{"c": "x --url \\"[redacted:host]:80\\""}'),
        ('{"server": "http://u:p@gpu-7/"}',
         '{"server": "http://[redacted:url-credentials]@[redacted:host]/"}'),
    ],
)  # fmt: skip
def test_a_host_is_redacted_and_its_scheme_port_and_path_stay(before, after):
    assert clean(before) == after
    assert clean(after) == after


@pytest.mark.parametrize(
    "text",
    [
        *(f'{{"host": "{host}", "base_url": "http://{host}:8000"}}'
          for host in ("0.0.0.0", "127.0.0.1", "127.0.1.1", "localhost", "[::1]", "[::]")),
        '{"host": "::"}',
        '{"url": "localhost:8000", "x": "serve --host 0.0.0.0 --url http://localhost:1/"}',
        '{"endpoint": "/v1/chat/completions", "server": "sglang", "target": "decode"}',
        '{"address": "12 Long Street", "host": "", "ip": null, "tool_server": null}',
        '{"total_output_tokens": 5, "max_tokens": "4", "tokenizer": "Qwen/Qwen3-32B"}',
        '{"token_ids": [1, 2], "eos_token": "</s>", "pad_token": "<|im_end|>", "tokens": "many"}',
        '{"token": " the"}', '{"token": "<|im_end|>"}', '{"token": "internationalization"}',
        '{"unit": "tokens per second", "time_to_first_token": {"value": 1}}',
        '{"api_key": null, "password": "", "hf_token": "None", "auth_token": "EMPTY"}',
        '{"api_key": "${API_KEY}", "authorization": "<your token>", "secret": "***"}',
        '{"authorization": "granted by the operator on Monday 7"}',
        '{"sha": "528c009f74b3df52f18943ddafc84ef63a0430f4d9d1485833740e38eb761490"}',
        '{"commit": "9d9572c", "uuid": "8e5d4a3c-0a87-4b1c-9a53-2f7c1f0c8d2b"}',
        '{"text": "The password: swordfish. My secret = none; a token=next(it). Cookie: yes"}',
        '{"text": "pass the --api-key option, or --host and --token flags; api_key=os.environ"}',
        '{"text": "def login(password=None, token=\'\'): return {\'password\': \'hunter\'}"}',
        '{"text": "a risk-averse task-based sk-learn-like-library-with-a-long-name"}',
        '{"text": "bearer of bad news, Bearer of-all-the-responsibilities"}',
        '{"text": "export HF_TOKEN=your_token_here; serve --api-key $API_KEY"}',
        '{"text": "see https://example.com/a:b@c and mail me@example.com at 10:30"}',
        '{"model_filename": "/data/hf_models/bench_v090_and_more_of_it/qwen.gguf"}',
        "host gpu-7 said: key: value",
        "",
    ],
)  # fmt: skip
def test_a_name_alone_is_no_alarm(text):
    assert redaction.find(text.encode()) == ()


@given(st.lists(st.floats() | st.integers(), min_size=1), st.text(string.ascii_lowercase + " \n"))
def test_a_file_without_secrets_comes_back_as_it_was(numbers, text):
    data = json.dumps({"itls": numbers, "generated_texts": [text]}).encode()

    assert redaction.redact(data, redaction.find(data)) == data


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *(shape.format("Ab1" * 12) for shape in SHAPES.values()),
                *(
                    '"api_key"',
                    ": ",
                    '"',
                    "[",
                    "]",
                    ",",
                    "=",
                    "--api-key ",
                    "HF_TOKEN=",
                    "\n",
                    "\\n",
                ),
                *(
                    "host",
                    "://",
                    "@",
                    "u:p",
                    "10.0.0.7",
                    "\\",
                    "[redacted:host]",
                    '"url"',
                    "Bearer ",
                ),
                *("-----BEGIN PRIVATE KEY-----", "AKIA" + "Q7" * 8, "'", "{", "}", "é", " "),
            ]
        ),
        max_size=14,
    )
)
def test_what_is_redacted_needs_no_redacting(pieces):
    data = "".join(pieces).encode()
    found = redaction.find(data)

    once = redaction.redact(data, found)

    assert redaction.find(once) == ()
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_a_finding_says_where_it_is_and_shows_at_most_four_characters():
    data = b'{\n "x": 1,\n "api_key": "abcdefghijklmnopqrstuvwxyz", "password": "short1"}'

    key, password = redaction.find(data)

    assert (key.kind, key.place, key.excerpt) == ("api-key", "3:14 (api_key)", "abcd… (26 bytes)")
    assert data[key.start : key.end] == b"abcdefghijklmnopqrstuvwxyz"
    assert password.excerpt == "s… (6 bytes)"


@given(st.text(min_size=1))
def test_no_excerpt_tells_the_secret(secret):
    data = json.dumps({"password": secret}, ensure_ascii=False).encode()
    for found in redaction.find(data):
        shown = found.excerpt.split("… (")[0]
        assert len(shown) <= 4
        assert len(shown) * 4 <= found.end - found.start
        assert shown.isascii()
        assert shown.isprintable() or not shown


def test_the_genuine_files_hold_host_names_and_no_other_secret():
    if not CORPUS.is_dir():
        pytest.skip(f"not run: the corpus is not at {CORPUS}")
    found = {}
    for path in sorted((CORPUS / "raw").rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        secrets = redaction.find(data)
        if secrets:
            found[path.name] = (secrets[0].place.partition(" ")[2], len(secrets))
        assert {secret.kind for secret in secrets} <= {"host"}
        assert redaction.find(redaction.redact(data, secrets)) == ()
    assert found == {
        "rsevilla_v0.3.1_full_benchmarks.json.gz": ("(backend_target)", 1),
    }


@pytest.mark.bench
def test_looking_is_timed_against_parsing():
    rows = [[1 / (7919 * i + j) for j in range(1000)] for i in range(1, 2001)]
    texts = ["The answer to a task-based question: first, one token of the host. " * 50] * 2000
    data = json.dumps({"itls": rows, "generated_texts": texts, "n": 1}).encode()

    spent = {"find": 9.0, "parse": 9.0}
    for _ in range(3):
        for name, work in (("find", redaction.find), ("parse", json.loads)):
            start = time.process_time()
            assert work(data) is not None
            spent[name] = min(spent[name], time.process_time() - start)

    print(f"find/json.loads: {spent['find'] / spent['parse']:.2f} over {len(data)} bytes", spent)


def test_a_sentence_keeps_its_hosts_and_loses_its_secrets():
    said = redaction.told("flags are --host lab-7 --api-key abc in A and absent in B")
    assert said == "flags are --host lab-7 --api-key [redacted:api-key] in A and absent in B"
    assert redaction.told("host is \udc80 in A") == r"host is \udc80 in A"
