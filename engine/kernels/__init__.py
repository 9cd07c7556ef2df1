"""The measuring kernels: one C interface (`mk.h`), built at first use; numpy where there is no C.

`backends.probe` says what can run here and why not more; `decode` is a tiny greedy decoder over
the kernels, whose two variants compute the same bits at different speeds. An A/B of them needs no
model weights from anywhere, has a known answer in exactness and an unknown one in time.
"""
