/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verilated node with one number of link ports, behind the C face of tern_model.h: the source is
 * compiled once for each number.
 */
#ifndef TERN_MODEL_KIND_H
#define TERN_MODEL_KIND_H

#include "tern_model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chip of this kind. */
struct tern_model_chip;

struct tern_model_kind {
    unsigned ports;
    struct tern_model_chip *(*make)(void);
    void (*end)(struct tern_model_chip *chip);
    void (*step)(struct tern_model_chip *chip, const struct tern_model_in *in,
                 struct tern_model_out *out);
    void (*state)(struct tern_model_chip *chip,
                  void (*take)(void *ctx, const void *bytes, size_t count), void *ctx);
    void (*flip)(struct tern_model_chip *chip, size_t byte, unsigned bit);
    bool (*dump)(struct tern_model_chip *chip, const char *path);
};

extern const struct tern_model_kind tern_model_kind_2, tern_model_kind_6;

#ifdef __cplusplus
}
#endif

#endif
