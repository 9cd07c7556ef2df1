"""Names that hold numbers and are no claims: words in front of a number, and whole phrases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from receipts import late as re


class Before(NamedTuple):
    """What a number behind a certain word is, if it has this form and no unit behind it."""

    rule: str
    form: re.Pattern[str]


# The forms are narrow on purpose: a bare number behind a name is as often its result ("CUDA 35.2,
# Vulkan 33.1"; "train 99.1, test 98.5"), so it is a version only in a form that its versions have.
_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,3}")
_COMPILER = re.compile(r"(?:[3-9]|1\d|2[0-3])(?:\.\d{1,2})?")
_PYTHON = re.compile(r"[23](?:\.\d{1,2})?")
_TORCH = re.compile(r"0\.\d{1,2}|[12]\.1?\d|[12]")
_CUDA = re.compile(r"(?:[7-9]|1[0-4])(?:\.\d)?")
_LIBRARY = re.compile(r"[1-9](?:\.1?\d)?")
_BUS = re.compile(r"[1-7](?:\.\d)?")
_SYSTEM = re.compile(r"(?:[5-9]|1\d|2[0-6])(?:\.\d{1,2})?|[34]\.\d{1,2}")
_TWO_DIGITS = re.compile(r"\d{1,2}")
_LANGUAGE = re.compile(r"1\.\d{2}|[5-9]|[0-2]\d|89|9[089]")
_DRIVER = re.compile(r"[3-6]\d\d(?:\.\d{1,3})?")
_KERNEL = re.compile(r"[2-6]\.\d{1,2}")
_YEARLY = re.compile(r"20[12]\d(?:\.\d{1,2})?|[1-3]\.\d")
_GENERATION = re.compile(r"[1-9](?:\.\d)?")
_REVISION = re.compile(r"[1-4]")
_CARD = re.compile(r"\d{3,5}")
_PART = re.compile(r"\d{4,5}")
_SMALL = re.compile(r"\d{1,3}")
_DIGIT = re.compile(r"[1-9]")
_PARTED = re.compile(r"(?:[1-9]\d{0,2}|0)(?:\.\d{1,2}){0,3}")
_LABEL = re.compile(r"[1-9]\d{0,2}|0")
_SERIAL = re.compile(r"\d{1,9}")
# "vLLM 0.6" and "Transformers 4.31" are versions; "vLLM 0.93" may be a result, and must resolve.
_EARLY = re.compile(r"0\.(?:[1-9]|1[0-2])|[45]\.[1-6]\d")
_PREPRINT = re.compile(r"\d{4}\.\d{4,5}")
_PART_OR_TIER = re.compile(r"[35679]|\d{3,5}")
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])|(?:19|20)\d\d")
_YEAR = re.compile(r"(?:199\d|20[0-3]\d)")

# Only software whose results nobody states in bare numbers: "llama.cpp 34.71" is a result.
_TABLE: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "version",
        _VERSION,
        "version version: versions ver ver. release toolkit msvc cmake ninja npm openssl glibc"
        " jetpack ptx"
        " apache license xcode studio cc capability compute-capability mlperf pip uv conda"
        " llvm-project schema_version schema abi api protocol directx opengl",
    ),
    ("version", _COMPILER, "gcc g++ clang llvm"),
    ("version", _PYTHON, "python cpython"),
    ("version", _TORCH, "pytorch torch torchvision torchaudio numpy"),
    ("version", _CUDA, "cuda cuda-toolkit nvcc cublas cublaslt"),
    ("version", _LIBRARY, "rocm cudnn nccl openmpi mpi zsh bash"),
    (
        "version",
        _BUS,
        "pcie nvlink ddr usb http tls bluetooth wi-fi wifi cxl gen spec cutlass vulkan opencl",
    ),
    ("version", _SYSTEM, "ubuntu debian centos rhel windows macos osx ios android alpine"),
    ("version", _TWO_DIGITS, "fedora node node.js nodejs"),
    ("version", _LANGUAGE, "rust rustc java jdk c++ c"),
    ("version", _DRIVER, "driver driver:"),
    ("version", _KERNEL, "kernel"),
    ("version", _YEARLY, "openvino onednn mkl tbb sycl"),
    ("version", re.compile(r"(?:1[7-9]|2\d)(?:\.\d{1,2})?"), "docker"),
    (
        "model-name",
        _GENERATION,
        "llama llama2 qwen mistral ministral gpt phi gemma claude sonnet opus haiku gemini deepseek"
        " mixtral falcon vicuna yi baichuan internlm glm chatglm codellama starcoder grok olmo"
        " nemotron kimi dbrx mpt bloom whisper alpaca hermes tulu granite ernie hunyuan"
        " minimax smollm aya jamba bitnet exaone lfm devstral magistral codestral pixtral llava"
        " internvl minicpm moondream molmo cogvlm stablelm zephyr wizardlm wizardcoder mamba rwkv"
        " apertus sdxl openchat",
    ),
    ("model-name", _REVISION, "attention flashattention flash-attention fa medusa eagle"),
    ("hardware-name", _CARD, "rtx gtx rx tesla quadro geforce radeon instinct titan i3 i5 i7 i9"),
    (
        "hardware-name",
        _PART,
        "epyc threadripper gold platinum silver bronze pro nvidia ada opteron firepro connectx"
        " thinkstation precision dimensity",
    ),
    ("hardware-name", _PART_OR_TIER, "ryzen ultra"),
    ("hardware-name", re.compile(r"[39]10"), "ascend"),
    ("hardware-name", re.compile(r"[5-9]\d0"), "kunpeng adreno kirin"),
    ("hardware-name", re.compile(r"6|\d{4,5}"), "xeon"),
    ("hardware-name", _SMALL, "qualcomm snapdragon"),
    ("hardware-name", _DIGIT, "pi gaudi zen rdna cdna trainium inferentia tpu"),
    ("hardware-name", _TWO_DIGITS, "iphone ipad"),
    (
        "label",
        _PARTED,
        "section sections sec sec. § §§ chapter chapters ch ch. appendix part parts step"
        " steps phase"
        " phases stage stages table table. tables tbl tab. figure figures fig fig. figs. eq eq."
        " eqs. eqn alg alg. thm equation"
        " equations algorithm listing example exercise item option method"
        " theorem lemma module article clause paragraph",
    ),
    (
        "label",
        _LABEL,
        "note footnote line page pages p. slide"
        " question case scenario experiment variant milestone week day"
        " lesson volume vol vol. rule claim claims test column row level tier category"
        " scheme lane track iteration quartile wave epoch lines col."
        " remark ledger"
        " attempt rank code codes linear"
        " no. nos. nr. № number numbers",
    ),
    ("issue", _SERIAL, "issue issues pr prs pull request bug gh mr ticket discussion"),
    (
        "identifier",
        _SERIAL,
        "sm rfc rfcs iso iec ieee cve doi isbn pid commit revision rev build",
    ),
    (
        "version",
        _EARLY,
        "vllm sglang lmdeploy tgi tensorrt-llm trt-llm mlc-llm flashinfer exllama mlx"
        " mlx-lm nano-vllm kt-kernel ktransformers mistral.rs ollama transformers",
    ),
    ("identifier", _PREPRINT, "arxiv arxiv:"),
    ("port", _SERIAL, "port ports"),
    (
        "date",
        _DAY,
        "january february march april may june july august september october november december"
        " jan feb mar apr jun jul aug sep sept oct nov dec"
        " jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec.",
    ),
    (
        "year",
        _YEAR,
        "in between since of by until till from during before after year © copyright (c) early late"
        " mid spring summer autumn fall winter q1 q2 q3 q4 h1 h2 isca micro hpca acl colm atc"
        " gtc ces wwdc computex siggraph",
    ),
    (
        "year",
        re.compile(rf"{_YEAR.pattern}|[12]\d"),
        "neurips nips icml iclr mlsys osdi sosp asplos emnlp cvpr iccv eccv naacl nsdi eurosys"
        " sigmod vldb kdd aaai ijcai",
    ),
)

DEFAULT_WORDS: Mapping[str, Before] = {
    word: Before(rule, form) for rule, form, words in _TABLE for word in words.split()
}
"""By the word in front of a number: what that makes of it."""

# These are words, too, and names only where their capitals stand.
_CASED: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("identifier", re.compile(r"[1-3]"), "ZeRO"),
    ("version", re.compile(r"1\.(?:1[3-9]|2\d)"), "Go"),
    ("version", re.compile(r"[4-6]\.\d{1,2}"), "Swift"),
    ("hardware-name", re.compile(r"[1-9]|1\d"), "Pixel OnePlus Xiaomi Redmi_Note Galaxy_Note"),
    (
        "hardware-name",
        re.compile(r"[1-9]|1[0-2]"),
        "Surface_Laptop Surface_Book Surface_Pro Surface_Go Orange_Pi Banana_Pi",
    ),
    ("version", _YEAR, "Visual_Studio Windows_Server SQL_Server"),
)

CASED: Mapping[str, Before] = {
    word.replace("_", " "): Before(rule, form)
    for rule, form, words in _CASED
    for word in words.split()
}
"""What `DEFAULT_WORDS` has not, by one or two words as they are written."""

CASED_LAST = frozenset(words.split()[-1] for words in CASED)
"""The last words of these."""

_LATIN = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z][A-Za-z0-9+_-]*\Z", re.ASCII)


def written(last: str, before: str, words: Mapping[str, Before]) -> Before | None:
    """Return what a name makes of the number behind it: by its capitals, or behind Chinese."""
    if last in CASED_LAST:
        return CASED.get(last) or CASED.get(f"{before.rsplit(None, 1)[-1]} {last}")
    latin = _LATIN.search(last)
    return words.get(latin[0].lower()) or CASED.get(latin[0]) if latin else None


NAMES = frozenset(("model-name", "hardware-name", "identifier", "version", "label", "file-name"))
"""Exclusions that a project's own names may fall under."""


@dataclass(frozen=True)
class Vocabulary:
    """Words that name the number behind them, and whole phrases with their exclusion."""

    words: Mapping[str, Before] = field(default_factory=lambda: DEFAULT_WORDS)
    phrases: Mapping[str, str] = field(default_factory=dict)

    def pattern(self) -> re.Pattern[str] | None:
        """Return a pattern of all phrases as whole words, the longest first."""
        if not self.phrases:
            return None
        longest = sorted(self.phrases, key=len, reverse=True)
        spelt = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
        return re.compile(rf"(?<![A-Za-z0-9_])(?:{spelt})(?![A-Za-z0-9_])")


DEFAULT = Vocabulary()
