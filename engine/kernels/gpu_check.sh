#!/bin/sh
# gpu_check.sh [BACKEND [FOLDER]] - what a machine with a GPU is asked once, in under five minutes.
#
# Builds the kernels of BACKEND (cuda if left out; c shows how it goes without a device), holds every
# one against its reference, and only then measures each under the lease. FOLDER (a new one if left
# out) becomes a workspace with its own ledger: the receipts of the table are in it. The table is
# printed in Markdown. Exit 1: a kernel is wrong, or faster than the hardware. Exit 3: no device.
#
#   ENGINE, LEDGER, PYTHON   the commands to use, if they are not on PATH under these names
set -eu

backend=${1:-cuda}
folder=${2:-$(mktemp -d)}
engine=${ENGINE:-engine}
ledger=${LEDGER:-ledger}
python=${PYTHON:-python3}
began=$(date +%s)

say() { printf '%s\n' "$*" >&2; }

row='
import json, sys
variant, said = sys.argv[1], json.load(sys.stdin)
median = {one["metric"]: float(one["value"]) for one in said["figures"]}
share = said.get("share_percent")
print("| {} | {} | {:.1f} | {:.1f} | {} | {} | {} |".format(
    said.get("name", "").split(".")[0], variant, median["kernel_us"], median["gb_s"],
    share + " %" if share else "none", said.get("limit") or "none", said["receipt"]))
'

say "== what is here"
$engine kernels list >&2
say "== build"
$engine kernels build "$backend" >&2
say "== verify (before any time)"
$engine kernels verify --backend "$backend" >&2

say "== measure, in $folder"
mkdir -p "$folder"
cd "$folder"
[ -e evidence.yaml ] || $ledger init --origin kernels.example/check >&2
status=0
printf '| kernel | variant | µs a launch | GB/s | share of the limit | limit | receipt |\n'
printf '| --- | --- | --- | --- | --- | --- | --- |\n'
for kernel in triad matvec_i8 gemv_q8_0 rmsnorm matvec_f32 argmax_f32; do
    for variant in plain tuned; do
        $engine kernels run "$kernel" --backend "$backend" --variant "$variant" --repetitions 3 \
            --launches 10 --name "$kernel.$variant.$began" --execute --json >said.json || status=1
        $python -c "$row" "$variant" <said.json || status=1
    done
done
say "== $(($(date +%s) - began)) seconds; receipts in $folder"
exit "$status"
