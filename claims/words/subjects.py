"""What a claim without digits can be about: engines, models, hardware, metrics, work, ourselves.

By the letters of `claims.words.letters`: N a name, M a measured quantity, W a kind of work, O what
an engine puts out, T a thing of this field, R what one compares with, S the writer. A metric of
something neutral ("disk throughput") and one that names a thing ("the latency budget") are none.
"""

# Names that are no words of English: in any capitals.
_ENGINES = """
llama.cpp vllm sglang tensorrt-llm trt-llm tgi mlx mlx-lm ollama text-generation-inference exllama
exllamav2 exllamav3 mlc-llm lm-studio ktransformers lmdeploy turbomind deepspeed deepspeed-mii
koboldcpp fastertransformer ctranslate2 powerinfer mistral.rs nano-vllm gpt-fast bitnet.cpp
llamafile lightllm openvino onnxruntime aphrodite
"""
ENGINES = tuple(_ENGINES.split())
"""Engines that run models: what a number may be of."""
_NAMES = """
llama-cpp ggml tensorrt mlc kt-kernel flashattention flash-attention flashattention-2
flashattention-3 flashinfer flashmla flashdecoding cublas cublaslt cudnn cutlass rocblas hipblaslt
onednn mkl openblas pytorch torch torch.compile torchao onnx bitnet deepgemm whisper.cpp
faster-whisper whisper tiktoken sentencepiece jax xla tvm llm.c xformers gptqmodel autogptq autoawq
bitsandbytes unsloth nccl rccl deepep
hugging-face huggingface tensorflow tinygrad executorch coreml directml rknn-llm swiftllm nanoflow
mooncake lmcache sarathi minfer llama codellama tinyllama qwen qwq mistral mixtral codestral
deepseek gpt-oss chatglm glm kimi starcoder olmo smollm internlm baichuan gemma mamba rwkv medusa
eagle-2 eagle-3 dflash cuda rocm vulkan opencl sycl nvidia amd xeon epyc threadripper blackwell
rubin geforce radeon gaudi tpu tpus npu npus gpu gpus cpu cpus cerebras groq sambanova
apple-silicon raspberry-pi jetson
"""
# Names that are words as well: only as they are spelt here.
SPELT = """
Triton Marlin Dynamo Candle Transformers MAX Falcon Phi Yi Command-R Grok Nemotron Claude Hopper
Ampere Ada Lovelace Turing Grace Metal ANE Orin Thor Inferentia Trainium TransformerEngine EAGLE
MLPerf Intel
"""
_QUANTITIES = """
cost-per-token cost-per-request exactness correctness determinism throughput goodput latency
latencies ttft tpot itl performance perf bandwidth memory vram footprint energy power perplexity
ppl accuracy quality utilization occupancy efficiency startup time-to-first-token
first-token-latency time-per-token tokens-per-second token-rate token-rates requests-per-second
load-time memory-use memory-usage memory-consumption memory-footprint power-draw acceptance-rate
inter-token-latency tail-latency response-time response-times gpu-time wall-time
wall-clock kernel-time host-time end-to-end-time cpu-time run-time compute-time flops compute-cost
scalability responsiveness jitter token-throughput decode-speed step-time queue-time queueing-delay
benchmark-scores eval-scores hit-rate cache-hit-rate win-rate pass-rate answer-quality fidelity
resource-use memory-traffic power-consumption energy-use cold-start-time waiting-time precision
recall first-token speed-of-decode numerical-error duration durations pace tempo velocity
queueing-delays stall-time hit-rates rate rates score scores ability abilities capability
capabilities reasoning-ability skill skills bleu rouge wer mmlu gsm8k humaneval f1 coherence
fluency fairness robustness repeatability reliability stability consistency coverage capacity
goodness quality-of-answers
latency-tail tail tails uptime availability memory-pressure memory-need memory-needs
vram-use vram-usage ram ram-usage ram-use gpu-memory gpu-hours gpu-utilization wattage
watts joules heat temperature-of-the-card noise-level throughput-per-watt tokens-per-watt
tokens-per-joule cost-of-serving serving-cost inference-cost training-cost training-time
build-up-time load-times start-up start-up-time startup-time warm-up-time boot-time download-size
checkpoint-size model-size binary-size image-size model-quality output-quality text-quality
speed-ups tps rps qps p50 p90 p95 p99 p999 ttfts e2e-latency round-trip round-trips round-trip-time
bubble-time idle-time overheads acceptance acceptance-length acceptance-rates accept-rate
context-limit concurrency parallelism mfu hfu intensity
"""
_WORK = """
warm-start warm-starts monitoring instrumentation graphs launches launch compile-mode
eager-mode-decode prompt-processing token-generation text-generation model-loading weight-loading
loading cold-start cold-starts warm-hits warm-hit kv-reuse cache-reuse prefix-reuse handoff
handoffs routing dispatch scheduling compression pruning distillation fine-tuning
tensor-parallelism expert-parallelism disk-offload sparse-attention graph-replay decode decodes
decoding prefill prefills prefilling inference generation serving sampling speculation
speculative-decoding attention gemm gemms gemv matmul matmuls batching caching prefix-caching
quantization dequantization tracing profiling streaming paging offload offloading fusion
prefetching graph-capture cuda-graphs detokenization tokenization conversion merge export
round-trip checkpointing sharding tiling pipelining swapping eviction preemption logging telemetry
bounds-checks bounds-checking encryption tls autotuning tuning training finetuning fine-tunes
embedding reranking retrieval transcription constrained-decoding structured-output
guided-decoding tree-drafting drafting rejection-sampling greedy-search top-k top-p eager-mode
recomputation rematerialization calibration kernel-fusion operator-fusion warmup warm-up
multiplexing parsing-of-output all-reduce beam-search chunked-prefill quantizing prefix-sharing
sharing scan recurrence softmax continuous-batching failover
smoothing reruns training-step forward-pass kv-cache
"""
_OUTPUT = """
token-output distribution answer answers completion completions responses replies tokens token-ids
token-stream token-streams output outputs logits numerics results generations output-text
generated-text samples-drawn logprobs greedy-output argmax result token token-id logit transcript
transcripts embeddings tensors activations masks response findings figures numbers measurements
readings
ranking
"""
_THINGS = """
router proxy gateway servers schedulers builds ports forks patches rewrites daemons samplers stacks
cache caches tokenizer detokenizer balancer codec quantizer compressor allocator runtime runtimes
kernel kernels engine engines decoder decoders rewrite port fork patch implementation
implementations server scheduler sampler backend backends stack candidate wrapper daemon
optimization speculator drafter draft-model model models checkpoint checkpoints loop loops planner
dequantizer batcher prefetcher dispatcher executor plugin pool arena adapter adapters encoder
reranker compiler pipeline pipelines worker workers driver drivers toolchain accelerator
accelerators card cards llm llms workload-manager autotuner tuner preprocessor filter filters
guardrail guardrails watermark refactoring migration lock mutex hook hooks plugins tracer profiler
logger monitor middleware sidecar layout rework overhaul multiplexer launcher orchestrator trainer
trainers index endpoint endpoints
replica replicas fleet policy policies
"""
_RIVALS = """
vendor native-code hand-tuned full-model baseline baselines comparator reference upstream original
full-precision half-precision fp32 fp16 bf16 fp8 int8 int4 eager-mode eager competitor competitors
competition predecessor previous-release previous-version last-release ground-truth unquantized
primary teacher teachers student parent dense-model incumbent incumbents predecessors stock
stock-one
old-one old-version uncompressed hand-written state-of-the-art-engines originals references vanilla
alternatives counterparts prior-work prior-systems previous-work existing-systems existing-engines
status-quo full-attention
"""
_SELF = "we ours us our"
# What is not measured here: where one of these is the head of a phrase, the sentence is about it.
NEUTRAL = """
layers file files archive archives copy copies regex pattern patterns option options flag flags
name names naming docs documentation manual page pages readme license licence header headers footer
schema syntax signature spelling template templates config configs configuration path directory
folder repository repo commit-message version-number versions tag tags column columns row rows
table tables figure chart suite ci build-time builds compilation compile-time
download downloads install installation setup disk disks drive ssd network machine fan clock
calendar review reviews reviewer reviewers reader writer author authors team meeting meetings event
teams issue
issues ticket branch-name budget limit limits target-date threshold axis label labels
definition script scripts log logs editor tokenizer-config iteration iterations debugging
development typing link links caption sentence sentences
paragraph chapter section abstract report book article blog post posts example examples tutorial
question questions list lists counter counters code-review onboarding feedback font format-string
field fields id ids key keys date dates word words board desk cable seat bag elevator budget-line
formula container containers entry entries run runs rep reps repetition repetitions sample samples
attempt attempts pair pairs parameter parameters plot plots histogram leak logo logos mascot
mascots website websites homepage community communities star stars contributor contributors commit
commits quote quotes citation citations comma commas milestone milestones meetup workshop workshops
conference talk talks keynote lecture seminar course tutorials newsletter mailing-list forum forums
screenshot screenshots video videos photo photos picture pictures drawing drawings icon icons
colour color colours colors style styles theme themes title titles heading headings
glossary appendix footnote footnotes bibliography reference-list changelog roadmap roadmaps backlog
sprint meeting-notes minutes invoice price-list salary contract contracts trademark patent patents
copyright rule rules guideline guidelines convention conventions comment comments
docstring docstrings variable variables method-name argument arguments keyword keywords
parameter-name import imports import-path package packages dependency dependencies wheel wheels
tarball makefile dockerfile image-name environment environments shell terminal console editors ide
keyboard mouse screen monitor chair rack racks cabinet shelf shelves box boxes sticker stickers
shirt shirts coffee lunch dinner office building room-number street city country weather rain sun
winter summer monday tuesday wednesday thursday friday
"""

# Things that are subjects where they are somebody's, or are pointed at: "this build".
_BELONGINGS = """
build builds release releases version versions path paths lane lanes variant variants branch commit
library system approach method pipeline arm arms integration quant layout loader graph speculator
toolkit framework product solution design algorithm technique module component service step steps
weights
"""
GROUPS = {
    "Y": _BELONGINGS,
    "T": _THINGS,
    "R": _RIVALS,
    "O": _OUTPUT,
    "W": _WORK,
    "M": _QUANTITIES + " tok/s tokens/s time-to-the-first-token speed speeds",
    "N": _ENGINES + _NAMES,
    "S": _SELF,
}
"""The words of each kind of subject; where one is of two kinds, of the later one."""
