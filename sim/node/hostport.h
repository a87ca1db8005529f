/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of the host port: memory with latency, posted writes, BAR accesses, interrupts,
 * and the flash.
 *
 * Read requests are answered in order, `host_latency` cycles after they were taken, one beat
 * a cycle.  Writes reach memory `posted` cycles after their last beat and are answered in the
 * next; interrupts keep their place among them.  BAR accesses reach the chip in order, as
 * fast as it takes them.  The flash keeps the number of the chip's life before it answers.
 * struct tern_host reaches the memory itself.
 */
#ifndef TERN_SIM_HOSTPORT_H
#define TERN_SIM_HOSTPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nic.h"
#include "tern_model.h"
#include "timing.h"

/* The host connected to the port. */
struct tern_host {
    void *ctx;
    enum tern_dma_result (*transfer)(void *ctx, struct tern_dma_op *op);
    unsigned (*transfer_all)(void *ctx, struct tern_dma_op *const *ops, unsigned count,
                             uint32_t *faults); /* tern_nic_transfer_all(); only on soft */
    void (*interrupt)(void *ctx, unsigned function, unsigned vector);
    void (*bar_answer)(void *ctx, uint64_t cookie, uint64_t data);
    void (*forget)(void *ctx, struct tern_dma_op *op); /* the chip that asked for it is gone */
};

enum {
    TERN_READS_MAX = 16,   /* one for each tag */
    TERN_WRITES_MAX = 256, /* bursts in flight to memory */
    TERN_BURST_BYTES = 2048
};

struct tern_host_read {
    uint64_t due, address;
    uint16_t bytes;
    uint8_t function, tag;
};

struct tern_host_write {
    uint64_t due, address;
    uint16_t bytes;
    uint8_t function, tag;
    bool irq;
    uint8_t data[TERN_BURST_BYTES + TERN_MODEL_BEAT_MAX];
};

struct tern_hostport {
    struct tern_host host;
    struct tern_timing timing;
    unsigned beat_bytes;   /* width of the chip's port */
    const uint32_t *flash; /* words; the caller owns them */
    size_t flash_words;

    struct tern_host_read reads[TERN_READS_MAX];
    unsigned read_first, read_count;
    bool read_begun; /* the oldest one's memory access has begun */
    unsigned lose;   /* a host fault: so many requests get no answer */
    struct tern_dma_op read_op;
    unsigned beat, beats; /* of the current answer; beats == 0: none */
    bool read_failed;
    uint8_t read_data[512 + 2 * TERN_MODEL_BEAT_MAX];

    struct tern_host_write *writes;
    unsigned write_first, write_count;
    unsigned write_lane; /* bytes of the current burst and its offset; 0: none */
    bool write_begun;
    unsigned lose_writes; /* so many bursts are written and get no answer: a fault of the host */
    struct tern_dma_op write_op;

    struct tern_bar_access bar[TERN_BAR_QUEUE];
    uint64_t bar_due[TERN_BAR_QUEUE];
    unsigned bar_first, bar_count;
    bool bar_reading;
    uint64_t bar_cookie; /* of the read that the chip is answering */

    bool flash_busy;
    uint64_t flash_due;
    uint32_t flash_word;
    uint8_t life; /* kept by the flash; 0: none yet */

    uint64_t active; /* cycle of the last activity */
};

/* Initialises the port; false without memory. */
bool tern_hostport_init(struct tern_hostport *port, const struct tern_host *host,
                        const struct tern_timing *timing, unsigned beat_bytes);
void tern_hostport_fini(struct tern_hostport *port);

/*
 * Power off: forgets all that the chip has asked for, and answers the reads of its registers with
 * ones.  The flash stays as it is.
 */
void tern_hostport_power_off(struct tern_hostport *port);

size_t tern_hostport_bar_room(const struct tern_hostport *port);
void tern_hostport_bar_push(struct tern_hostport *port, const struct tern_bar_access *access,
                            uint64_t cycle);

/* Tells whether no request or transfer is pending, in either direction. */
static inline bool tern_hostport_is_idle(const struct tern_hostport *port)
{
    return port->bar_count == 0 && !port->bar_reading && port->read_count == 0 &&
           port->beats == 0 && port->write_count == 0 && port->write_lane == 0 && !port->flash_busy;
}

/* Sets the input pins before a clock, and takes the outputs after it. */
void tern_hostport_drive(struct tern_hostport *port, struct tern_model_in *in,
                         uint64_t cycle);
void tern_hostport_sample(struct tern_hostport *port, const struct tern_model_in *in,
                          const struct tern_model_out *before,
                          const struct tern_model_out *after, uint64_t cycle);

#endif
