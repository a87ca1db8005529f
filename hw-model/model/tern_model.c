/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of nodes a build has, behind one face. */
#include "tern_model.h"

#include <stdlib.h>

#include "tern_model_kind.h"

struct tern_model {
    const struct tern_model_kind *kind;
    struct tern_model_chip *chip;
};

static const struct tern_model_kind *const kinds[] = {
    &tern_model_kind_2,
#ifdef TERN_MODEL_SIX
    &tern_model_kind_6,
#endif
};

static const struct tern_model_kind *kind_of(unsigned ports)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (kinds[k]->ports == ports)
            return kinds[k];
    return NULL;
}

bool tern_model_has(unsigned ports)
{
    return kind_of(ports) != NULL;
}

struct tern_model *tern_model_new(unsigned ports)
{
    const struct tern_model_kind *kind = kind_of(ports);
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

void tern_model_flip(struct tern_model *model, size_t byte, unsigned bit)
{
    model->kind->flip(model->chip, byte, bit);
}

bool tern_model_dump(struct tern_model *model, const char *path)
{
    return model->kind->dump(model->chip, path);
}
