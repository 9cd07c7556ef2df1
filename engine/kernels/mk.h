/* mk.h - the one C interface of the measuring kernels.
 *
 * A caller checks mk_abi_version() against MK_ABI_VERSION before anything else. Every other function
 * returns MK_OK, or a code below with a sentence in mk_last_error(); after a failure the outputs hold
 * nothing to be believed. No function keeps a pointer or anything else but that sentence.
 *
 * Variants compute the same bits in different ways, so that an A/B of two of them has a known answer
 * in exactness and an unknown one in time.
 */
#ifndef MK_H
#define MK_H

#include <stdint.h>

#define MK_ABI_VERSION 1

/* Two int8 multiply to at most 2^14, so 2^17 - 1 of them sum to less than 2^31 (2^17 would not). */
#define MK_MAX_COLUMNS 131071

enum mk_variant { MK_PLAIN = 0, MK_TUNED = 1 };
enum mk_status { MK_OK = 0, MK_BAD_ARGUMENT = 1, MK_NO_MEMORY = 2, MK_NO_CLOCK = 3 };

int32_t mk_abi_version(void);

/* The last failure in this thread, in one line; "" when there was none. */
const char *mk_last_error(void);

/* logits[r] = sum over c of weights[r * columns + c] * activation[c], exact in int32, and *best = the
 * lowest r with the largest logit, or -1 when there are no rows. */
int32_t mk_matvec(int32_t variant, const int8_t *weights, int64_t rows, int64_t columns,
                  const int8_t *activation, int32_t *logits, int64_t *best);

/* Decode greedily. The state is `width` bytes, all 0 at first; to absorb token t is, for every i at
 * once and modulo 256, state[i] = 5 * state[(i + 1) % width] + embeddings[t * width + i]. Five is
 * odd, so no earlier token is ever forgotten. The prompt is absorbed (prefill_ns); each of the
 * `outputs` steps is then mk_matvec of the state read as int8, its argmax as the token, and
 * absorbing it (token_ns, one whole step each, CLOCK_MONOTONIC). `logits` holds the last step's. */
int32_t mk_decode(int32_t variant, const int8_t *weights, const int8_t *embeddings, int64_t vocab,
                  int64_t width, const int32_t *prompt, int64_t prompts, int64_t outputs,
                  int32_t *tokens, int64_t *token_ns, int64_t *prefill_ns, int32_t *logits);

#endif
