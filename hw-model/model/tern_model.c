/* SPDX-License-Identifier: Apache-2.0 */
/* One interface to all kinds of nodes that a build has. */
#include "tern_model.h"

#include <stdlib.h>
#include <string.h>

#include "tern_model_kind.h"

struct tern_model {
    const struct tern_model_kind *kind;
    struct tern_model_chip *chip;
};

/* The makefile names the kinds; a search without a name returns the first that fits. */
static const struct tern_model_kind *const kinds[] = {TERN_MODEL_KINDS};

const struct tern_model_shape *tern_model_find(const char *name, unsigned ports)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct tern_model_shape *shape = &kinds[k]->shape;

        if (shape->ports == ports && (name == NULL || strcmp(name, shape->name) == 0))
            return shape;
    }
    return NULL;
}

static const struct tern_model_kind *kind_of(const struct tern_model_shape *shape)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (&kinds[k]->shape == shape)
            return kinds[k];
    return NULL;
}

struct tern_model *tern_model_new(const struct tern_model_shape *shape)
{
    const struct tern_model_kind *kind = kind_of(shape);
    struct tern_model *model = kind != NULL ? malloc(sizeof *model) : NULL;

    if (model == NULL)
        return NULL;
    *model = (struct tern_model){.kind = kind, .chip = kind->make()};
    if (model->chip != NULL)
        return model;
    free(model);
    return NULL;
}

void tern_model_free(struct tern_model *model)
{
    if (model == NULL)
        return;
    model->kind->end(model->chip);
    free(model);
}

void tern_model_step(struct tern_model *model, const struct tern_model_in *in,
                     struct tern_model_out *out)
{
    model->kind->step(model->chip, in, out);
}

void tern_model_state(struct tern_model *model,
                      void (*take)(void *ctx, const void *bytes, size_t count), void *ctx)
{
    model->kind->state(model->chip, take, ctx);
}

void tern_model_named(struct tern_model *model,
                      void (*take)(void *ctx, const char *name, const void *bytes, size_t count),
                      void *ctx)
{
    model->kind->named(model->chip, take, ctx);
}

void tern_model_flip(struct tern_model *model, size_t byte, unsigned bit)
{
    model->kind->flip(model->chip, byte, bit);
}

void tern_model_turn(struct tern_model *model, int64_t cycles)
{
    model->kind->turn(model->chip, cycles);
}

uint64_t tern_model_timer(struct tern_model *model)
{
    return model->kind->timer(model->chip);
}

bool tern_model_dump(struct tern_model *model, const char *path)
{
    return model->kind->dump(model->chip, path);
}
