/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of one kind of verilated node, below tern_model.h. tern_model.cpp is compiled
 * once for each kind; tern_model.c lists the kinds of a build.
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
    struct tern_model_shape shape;
    struct tern_model_chip *(*make)(void);
    void (*end)(struct tern_model_chip *chip);
    void (*step)(struct tern_model_chip *chip, const struct tern_model_in *in,
                 struct tern_model_out *out);
    void (*state)(struct tern_model_chip *chip,
                  void (*take)(void *ctx, const void *bytes, size_t count), void *ctx);
    void (*named)(struct tern_model_chip *chip,
                  void (*take)(void *ctx, const char *name, const void *bytes, size_t count),
                  void *ctx);
    void (*flip)(struct tern_model_chip *chip, size_t byte, unsigned bit);
    void (*turn)(struct tern_model_chip *chip, int64_t cycles);
    uint64_t (*timer)(struct tern_model_chip *chip);
    bool (*dump)(struct tern_model_chip *chip, const char *path);
};

/*
 * The kinds that hw-model/verilated.mk can build; a program links only those that its list names.
 */
extern const struct tern_model_kind tern_model_kind_sim_2, tern_model_kind_sim_6,
    tern_model_kind_checked_2, tern_model_kind_checked_6, tern_model_kind_board_2,
    tern_model_kind_tree_2,
    tern_model_kind_full_2, tern_model_kind_fulltree_2, tern_model_kind_read_2,
    tern_model_kind_gate_2, tern_model_kind_readfull_2, tern_model_kind_gatefull_2,
    tern_model_kind_readfulltree_2, tern_model_kind_gatefulltree_2;

#ifdef __cplusplus
}
#endif

#endif
