/* SPDX-License-Identifier: Apache-2.0 */
/* The host's end of the host port. */
#include "hostport.h"

#include <stdlib.h>
#include <string.h>

bool tern_hostport_init(struct tern_hostport *port, const struct tern_host *host,
                        const struct tern_timing *timing, unsigned beat_bytes)
{
    *port = (struct tern_hostport){.host = *host, .timing = *timing, .beat_bytes = beat_bytes};
    port->writes = calloc(TERN_WRITES_MAX, sizeof *port->writes);
    return port->writes != NULL;
}

void tern_hostport_fini(struct tern_hostport *port)
{
    free(port->writes);
    port->writes = NULL;
}

/* ---- BAR ---- */

static void bar_forget(struct tern_hostport *port)
{
    if (port->bar_reading)
        port->host.bar_answer(port->host.ctx, port->bar_cookie, UINT64_MAX);
    port->bar_reading = false;
    for (; port->bar_count > 0; port->bar_count--) {
        const struct tern_bar_access *access = &port->bar[port->bar_first];

        if (!access->write)
            port->host.bar_answer(port->host.ctx, access->cookie, UINT64_MAX);
        port->bar_first = (port->bar_first + 1) % TERN_BAR_QUEUE;
    }
}

void tern_hostport_power_off(struct tern_hostport *port)
{
    bar_forget(port);
    if (port->read_begun)
        port->host.forget(port->host.ctx, &port->read_op);
    if (port->write_begun)
        port->host.forget(port->host.ctx, &port->write_op);
    port->read_begun = port->write_begun = port->flash_busy = false;
    port->read_count = port->beats = port->write_count = port->write_lane = 0;
}

size_t tern_hostport_bar_room(const struct tern_hostport *port)
{
    return TERN_BAR_QUEUE - port->bar_count;
}

void tern_hostport_bar_push(struct tern_hostport *port, const struct tern_bar_access *access,
                            uint64_t cycle)
{
    unsigned at = (port->bar_first + port->bar_count) % TERN_BAR_QUEUE;

    port->bar[at] = *access;
    port->bar_due[at] = cycle + port->timing.posted;
    port->bar_count++;
    port->active = cycle;
}

static void bar_drive(struct tern_hostport *port, struct tern_model_in *in, uint64_t cycle)
{
    const struct tern_bar_access *access = &port->bar[port->bar_first];

    in->bar_valid = port->bar_count > 0 && port->bar_due[port->bar_first] <= cycle &&
                    (access->write || !port->bar_reading);
    if (!in->bar_valid)
        return;
    in->bar_write = access->write;
    in->bar_fn = access->function;
    in->bar_addr = access->address;
    in->bar_wdata = access->data;
    in->bar_be = access->enables;
}

static void bar_sample(struct tern_hostport *port, const struct tern_model_in *in,
                       const struct tern_model_out *before,
                       const struct tern_model_out *after, uint64_t cycle)
{
    if (in->bar_valid && before->bar_ready) {
        if (!in->bar_write) {
            port->bar_reading = true;
            port->bar_cookie = port->bar[port->bar_first].cookie;
        }
        port->bar_first = (port->bar_first + 1) % TERN_BAR_QUEUE;
        port->bar_count--;
        port->active = cycle;
    }
    if (after->bar_rvalid && port->bar_reading) {
        port->bar_reading = false;
        port->host.bar_answer(port->host.ctx, port->bar_cookie, after->bar_rdata);
    }
}

/* ---- reads ---- */

static void read_sample(struct tern_hostport *port, const struct tern_model_in *in,
                        const struct tern_model_out *before, uint64_t cycle)
{
    struct tern_host_read *read;

    if (!before->hrq_valid || !in->hrq_ready)
        return;
    read = &port->reads[(port->read_first + port->read_count++) % TERN_READS_MAX];
    *read = (struct tern_host_read){.due = cycle + port->timing.host_latency,
                                    .address = before->hrq_addr,
                                    .bytes = before->hrq_bytes,
                                    .function = before->hrq_fn,
                                    .tag = before->hrq_tag};
    port->active = cycle;
}

static void read_begin(struct tern_hostport *port, const struct tern_host_read *read)
{
    port->read_op = (struct tern_dma_op){.address = read->address,
                                         .data = port->read_data + read->address % port->beat_bytes,
                                         .bytes = read->bytes,
                                         .function = read->function};
    memset(port->read_data, 0, sizeof port->read_data);
    port->read_begun = true;
}

/* Starts the memory access of the oldest request. A failure is answered by a single beat. */
static void read_fetch(struct tern_hostport *port, uint64_t cycle)
{
    const struct tern_host_read *read = &port->reads[port->read_first];
    unsigned beat_bytes = port->beat_bytes;
    enum tern_dma_result result;

    if (port->beats > 0 || port->read_count == 0 || read->due > cycle)
        return;
    port->active = cycle;
    if (!port->read_begun && port->lose > 0) {
        port->lose--;
        port->read_first = (port->read_first + 1) % TERN_READS_MAX;
        port->read_count--;
        return;
    }
    if (!port->read_begun)
        read_begin(port, read);
    result = port->host.transfer(port->host.ctx, &port->read_op);
    if (result == TERN_DMA_PENDING)
        return;
    port->read_begun = false;
    port->read_failed = result == TERN_DMA_FAULT;
    port->beat = 0;
    port->beats =
        port->read_failed
            ? 1
            : (unsigned)((read->address % beat_bytes + read->bytes + beat_bytes - 1) / beat_bytes);
}

static void read_drive(struct tern_hostport *port, struct tern_model_in *in, uint64_t cycle)
{
    read_fetch(port, cycle);
    in->hrq_ready = port->read_count < TERN_READS_MAX;
    in->hrd_valid = port->beats > 0;
    if (port->beats == 0)
        return;
    in->hrd_tag = port->reads[port->read_first].tag;
    in->hrd_err = port->read_failed;
    memcpy(&in->hrd_data, port->read_data + port->beat_bytes * port->beat, port->beat_bytes);
    port->beat++;
    in->hrd_last = port->beat == port->beats;
    if (!in->hrd_last)
        return;
    port->beats = 0;
    port->read_first = (port->read_first + 1) % TERN_READS_MAX;
    port->read_count--;
}

/* ---- writes ---- */

static void write_sample(struct tern_hostport *port, const struct tern_model_in *in,
                         const struct tern_model_out *before, uint64_t cycle)
{
    struct tern_host_write *write =
        &port->writes[(port->write_first + port->write_count) % TERN_WRITES_MAX];

    if (!before->hwr_valid || !in->hwr_ready)
        return;
    port->active = cycle;
    if (port->write_lane + port->beat_bytes > sizeof write->data)
        return; /* longer than any burst: there is no room for the rest */
    memcpy(write->data + port->write_lane, &before->hwr_data, port->beat_bytes);
    port->write_lane += port->beat_bytes;
    if (!before->hwr_last)
        return;
    write->due = cycle + port->timing.posted;
    write->address = before->hwr_addr;
    write->bytes = before->hwr_bytes;
    write->function = before->hwr_fn;
    write->tag = before->hwr_tag;
    write->irq = before->hwr_irq;
    port->write_lane = 0;
    port->write_count++;
}

static enum tern_dma_result write_carry_out(struct tern_hostport *port,
                                            struct tern_host_write *write)
{
    if (write->irq) {
        port->host.interrupt(port->host.ctx, write->function,
                             write->data[0] | (unsigned)write->data[1] << 8);
        return TERN_DMA_OK;
    }
    if (!port->write_begun)
        port->write_op =
            (struct tern_dma_op){.address = write->address,
                                 .data = write->data + write->address % port->beat_bytes,
                                 .bytes = write->bytes,
                                 .write = true,
                                 .function = write->function};
    port->write_begun = true;
    return port->host.transfer(port->host.ctx, &port->write_op);
}

static void write_drive(struct tern_hostport *port, struct tern_model_in *in, uint64_t cycle)
{
    struct tern_host_write *write = &port->writes[port->write_first];
    enum tern_dma_result result;

    in->hwr_ready = port->write_count < TERN_WRITES_MAX - 1;
    in->hwb_valid = false;
    if (port->write_count == 0 || write->due > cycle)
        return;
    port->active = cycle;
    result = write_carry_out(port, write);
    if (result == TERN_DMA_PENDING)
        return;
    in->hwb_valid = port->lose_writes == 0 || write->irq;
    in->hwb_tag = write->tag;
    in->hwb_err = result == TERN_DMA_FAULT;
    if (!in->hwb_valid)
        port->lose_writes--;
    port->write_begun = false;
    port->write_first = (port->write_first + 1) % TERN_WRITES_MAX;
    port->write_count--;
}

/* ---- flash ---- */

static void flash_drive(struct tern_hostport *port, struct tern_model_in *in, uint64_t cycle)
{
    in->fl_valid = port->flash_busy && port->flash_due <= cycle;
    if (!in->fl_valid)
        return;
    in->fl_data = port->flash_word;
    port->flash_busy = false;
}

static void flash_sample(struct tern_hostport *port, const struct tern_model_out *after,
                         uint64_t cycle)
{
    if (!after->fl_req || port->flash_busy)
        return;
    port->flash_busy = true;
    port->life = after->fl_life;
    port->flash_due = cycle + port->timing.flash_latency;
    /* Erased flash reads as ones. */
    port->flash_word =
        after->fl_addr < port->flash_words ? port->flash[after->fl_addr] : UINT32_MAX;
    port->active = cycle;
}

void tern_hostport_drive(struct tern_hostport *port, struct tern_model_in *in,
                         uint64_t cycle)
{
    bar_drive(port, in, cycle);
    read_drive(port, in, cycle);
    write_drive(port, in, cycle);
    flash_drive(port, in, cycle);
}

void tern_hostport_sample(struct tern_hostport *port, const struct tern_model_in *in,
                          const struct tern_model_out *before,
                          const struct tern_model_out *after, uint64_t cycle)
{
    bar_sample(port, in, before, after, cycle);
    read_sample(port, in, before, cycle);
    write_sample(port, in, before, cycle);
    flash_sample(port, after, cycle);
}
