/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Use of records as the NIC sees it: it samples the READs and LOOKUPs that it answers.  A process
 * has one sampler for each of its devices, which all of its caches there share.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>

#include "server.h"

struct cache_sampler {
    struct cache_sampler *next;
    struct tern_device *device;
    struct tern_cq *cq;
    struct cache_samples *users;
};

/* Of all below.  A thread that has it takes no other lock of this folder. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cache_sampler *samplers;

/* ---- samples that came */

static struct cache_samples *user_of(const struct cache_sampler *sampler, uint64_t addr)
{
    struct cache_samples *user = sampler->users;

    while (user && addr - user->start >= user->bytes)
        user = user->next;
    return user;
}

/* Drops a sample without room, as the NIC does. */
static void take(const struct cache_sampler *sampler, const struct tern_completion *done)
{
    uint64_t addr = tern_link_addr(done->value);
    struct cache_samples *user = user_of(sampler, addr);

    if (done->opcode != TERN_OP_LOOKED || !user || user->count == CACHE_SAMPLES)
        return;
    user->sample[user->count++] = (struct cache_sample){
        .place = (uint32_t)((addr - user->start) / CACHE_NODE), .bytes = done->length};
}

unsigned cache_samples_take(struct cache_samples *samples, struct cache_sample *out)
{
    struct tern_completion done;
    unsigned count;

    if (!samples->sampler)
        return 0;
    pthread_mutex_lock(&lock);
    while (tern_cq_poll(samples->sampler->cq, &done, 1) == 1)
        take(samples->sampler, &done);
    count = samples->count;
    memcpy(out, samples->sample, count * sizeof(*out));
    samples->count = 0;
    pthread_mutex_unlock(&lock);
    return count;
}

/* ---- opened and closed */

static struct cache_sampler *sampler_of(struct tern_device *device)
{
    struct cache_sampler *sampler = samplers;

    while (sampler && sampler->device != device)
        sampler = sampler->next;
    return sampler;
}

static int sampler_new(struct tern_device *device, struct cache_sampler **out)
{
    struct cache_sampler *sampler = calloc(1, sizeof(*sampler));
    int status;

    if (!sampler)
        return -TERN_ST_NO_MEMORY;
    sampler->device = device;
    status = tern_cq_create(device, CACHE_SAMPLES_LOG2, TERN_CQ_POLLED, &sampler->cq);
    if (status) {
        free(sampler);
        return status;
    }
    sampler->next = samplers;
    samplers = sampler;
    *out = sampler;
    return 0;
}

static void sampler_free(struct cache_sampler *sampler)
{
    struct cache_sampler **at = &samplers;

    while (*at != sampler)
        at = &(*at)->next;
    *at = sampler->next;
    (void)tern_cq_destroy(sampler->cq);
    free(sampler);
}

int cache_samples_open(struct tern_device *device, struct cache_samples *samples, unsigned log2)
{
    struct cache_sampler *sampler;
    int status = 0;

    pthread_mutex_lock(&lock);
    sampler = sampler_of(device);
    if (!sampler)
        status = sampler_new(device, &sampler);
    if (!status)
        status = tern_read_sample(sampler->cq, log2);
    if (!status) {
        samples->sampler = sampler;
        samples->next = sampler->users;
        sampler->users = samples;
    } else if (sampler && !sampler->users) {
        sampler_free(sampler);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void cache_samples_close(struct cache_samples *samples)
{
    struct cache_samples **at;

    if (!samples->sampler)
        return;
    pthread_mutex_lock(&lock);
    for (at = &samples->sampler->users; *at != samples;)
        at = &(*at)->next;
    *at = samples->next;
    if (!samples->sampler->users)
        sampler_free(samples->sampler);
    samples->sampler = NULL;
    pthread_mutex_unlock(&lock);
}
