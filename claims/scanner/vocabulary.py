"""Names that hold numbers and are no claims: words in front of a number, and whole phrases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from receipts import late as re


class Before(NamedTuple):
    """What a number behind a certain word is, if it has this form and no unit behind it."""

    rule: str
    form: re.Pattern[str]


_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,3}")
_GENERATION = re.compile(r"\d{1,2}(?:\.\d)?")
_PART = re.compile(r"\d{3,5}")
_SMALL = re.compile(r"\d{1,3}")
_LABEL = re.compile(r"(?:[1-9]\d{0,2}|0)(?:\.\d{1,2}){0,3}")
_SERIAL = re.compile(r"\d{1,9}")
# "vLLM 0.6" and "Transformers 4.31" are versions; "vLLM 0.93" may be a result, and must resolve.
_EARLY = re.compile(r"0\.(?:[1-9]|1[0-2])|[45]\.[1-6]\d")
_PREPRINT = re.compile(r"\d{4}\.\d{4,5}")
_PART_OR_TIER = re.compile(r"[3579]|\d{3,5}")
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])|(?:19|20)\d\d")
_YEAR = re.compile(r"(?:199\d|20[0-3]\d)")

# Only software whose results nobody states in bare numbers: "llama.cpp 34.71" is a result.
_TABLE: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "version",
        _VERSION,
        "python cpython cuda cuda-toolkit toolkit rocm pytorch torch torchvision torchaudio gcc g++"
        " clang llvm msvc cmake ninja ubuntu debian centos fedora rhel alpine windows macos osx ios"
        " android node node.js nodejs npm rust rustc java jdk c++ c cudnn cublas cublaslt"
        " nccl cutlass"
        " openmpi mpi openssl numpy docker driver version versions ver ver. release apache license"
        " http tls usb bluetooth pcie gen ddr wi-fi wifi nvlink cxl opencl vulkan directx"
        " opengl sycl"
        " openvino xcode studio kernel glibc jetpack ptx cc capability compute-capability"
        " spec mlperf"
        " pip uv conda nvcc onednn mkl tbb llvm-project schema_version schema abi api protocol",
    ),
    (
        "model-name",
        _GENERATION,
        "llama llama2 qwen mistral ministral gpt phi gemma claude sonnet opus haiku gemini deepseek"
        " mixtral falcon vicuna yi baichuan internlm glm chatglm codellama starcoder grok olmo"
        " nemotron kimi dbrx mpt bloom whisper alpaca hermes tulu granite ernie hunyuan"
        " minimax attention"
        " smollm aya jamba flashattention flash-attention fa bitnet medusa eagle",
    ),
    (
        "hardware-name",
        _PART,
        "rtx gtx rx epyc xeon threadripper tesla quadro geforce radeon gold platinum silver"
        " bronze instinct pro nvidia ada opteron firepro connectx thinkstation precision"
        " titan i3 i5 i7 i9",
    ),
    ("hardware-name", _PART_OR_TIER, "ryzen"),
    (
        "hardware-name",
        _SMALL,
        "pi gaudi zen rdna cdna qualcomm trainium inferentia tpu snapdragon dimensity ultra",
    ),
    (
        "label",
        _LABEL,
        "section sections sec sec. § §§ chapter chapters ch ch. appendix part parts step"
        " steps phase"
        " phases stage stages table tables tbl tab. figure figures fig fig. figs. eq eq."
        " eqs. eqn alg alg. thm equation"
        " equations algorithm listing example exercise note footnote item line page pages p. slide"
        " question lemma theorem case scenario experiment option method variant milestone week day"
        " lesson module volume vol vol. rule claim claims test column row level tier category"
        " scheme lane track iteration quartile wave epoch lines col. article clause"
        " paragraph remark ledger"
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
        "in since of by until till from during before after year © copyright (c) early late mid"
        " spring summer autumn fall winter q1 q2 q3 q4 h1 h2 neurips nips icml iclr mlsys osdi sosp"
        " asplos isca micro hpca acl emnlp cvpr iccv eccv naacl colm nsdi eurosys atc sigmod vldb"
        " kdd aaai ijcai gtc ces wwdc computex siggraph",
    ),
)

DEFAULT_WORDS: Mapping[str, Before] = {
    word: Before(rule, form) for rule, form, words in _TABLE for word in words.split()
}
"""By the word in front of a number: what that makes of it."""

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
