"""The measuring kernels: one C interface (`mk.h`), built at first use; numpy where there is no C.

`backends` says what can run here and why not more; `bench` measures one kernel past the caches and
holds its outputs against float64 before any time is written. `decode` is a tiny greedy decoder over
them, whose two variants compute the same bits at different speeds: an A/B of them needs no model
weights from anywhere, has a known answer in exactness and an unknown one in time.
"""
