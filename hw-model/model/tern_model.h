/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verilated node as a C object: pins in, pins out, one clock at a time.
 *
 * hw-model/README.md describes pin names and meanings at the host port. Objects share no data, so
 * different threads may step them. hw-model/verilated.mk builds several kinds
 * (docs/verification.md): the fast one and the checked one of the simulator's configuration, the
 * board's configuration, one that writes waveforms, one that observes the core, and netlists.
 */
#ifndef TERN_MODEL_H
#define TERN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TERN_MODEL_PORTS = 6,       /* link ports at most: 0 X+, 1 X-, 2 Y+, 3 Y-, 4 Z+, 5 Z- */
    TERN_MODEL_TREE = 3,        /* links of the tree network: child 0, child 1, parent */
    TERN_MODEL_WIRES = TERN_MODEL_PORTS + TERN_MODEL_TREE,
    TERN_MODEL_BEAT_MAX = 8,    /* bytes of a beat at the host port and on a link, at most */
    TERN_MODEL_FUNCTIONS = 64,  /* of a NIC, at most */
    TERN_MODEL_TRACE_WORDS = 10, /* 16 bits for each trace lane */
    TERN_MODEL_STATE_HEAD = 256
};

/* The signals of a link in one cycle. */
struct tern_model_beat {
    bool valid;
    uint8_t kind; /* LINK_KIND_* */
    uint64_t data;
};

struct tern_model_in {
    bool rst_n;
    bool hrq_ready;
    bool hrd_valid, hrd_last, hrd_err;
    uint8_t hrd_tag;
    uint64_t hrd_data;
    bool hwr_ready;
    bool hwb_valid, hwb_err;
    uint8_t hwb_tag;
    bool bar_valid, bar_write;
    uint8_t bar_fn, bar_be;
    uint32_t bar_addr;
    uint64_t bar_wdata;
    bool fl_valid;
    uint32_t fl_data;
    uint16_t strap_node, strap_dims, strap_host_latency;
    uint8_t strap_life;
    uint32_t strap_clock_hz;
    struct tern_model_beat lrx[TERN_MODEL_WIRES]; /* the tree's follow those of the ports */
    uint8_t dbg_op; /* TERN_DBG_* */
    uint16_t dbg_addr;
    uint32_t dbg_data;
};

struct tern_model_out {
    bool hrq_valid;
    uint8_t hrq_fn, hrq_tag;
    uint16_t hrq_bytes;
    uint64_t hrq_addr;
    bool hwr_valid, hwr_last, hwr_irq;
    uint8_t hwr_fn, hwr_tag;
    uint16_t hwr_bytes;
    uint64_t hwr_addr, hwr_data;
    bool bar_ready, bar_rvalid;
    uint64_t bar_rdata;
    bool fl_req;
    uint16_t fl_addr;
    uint8_t fl_life;
    struct tern_model_beat ltx[TERN_MODEL_WIRES];
    uint32_t tr_valid;                          /* a bit for each trace lane */
    uint32_t tr_id[TERN_MODEL_TRACE_WORDS];     /* only set while tr_valid is not 0 */
    uint32_t tr_cycle;
    bool retire_valid;
    uint32_t retire_pc;
    uint8_t dbg_state; /* TERN_DBG_HALTED and so on */
    uint32_t dbg_pc, dbg_insn, dbg_value;
    uint8_t retire_cause;  /* reason why no instruction retires (tern_core_lost.sv); only in the
                              observed build */
};

struct tern_model;

/* Parameters of a node that its users need. */
struct tern_model_shape {
    const char *name;    /* "sim", "board" and so on */
    unsigned ports;      /* link ports */
    unsigned beat_bytes; /* of the host port and of a link: 4 or 8 */
    unsigned functions;
    unsigned tree;       /* links of the tree network: TERN_MODEL_TREE or 0 */
};

/*
 * Returns the shape of the node `name` with this many link ports; if `name` is NULL, of the first
 * node of this build with that many. NULL when this build has no such node.
 */
const struct tern_model_shape *tern_model_find(const char *name, unsigned ports);

/*
 * Makes a node of a shape that tern_model_find() returned, before its first clock; NULL without
 * memory.
 */
struct tern_model *tern_model_new(const struct tern_model_shape *shape);
void tern_model_free(struct tern_model *model);

/* Runs one clock: `in` has the pins before the rising edge, `out` those after it. */
void tern_model_step(struct tern_model *model, const struct tern_model_in *in,
                     struct tern_model_out *out);

/*
 * Passes the model's whole state to `take` in pieces: inputs, all registers, all memories, and the
 * values computed from them. The order of the pieces depends only on the build.
 */
void tern_model_state(struct tern_model *model,
                      void (*take)(void *ctx, const void *bytes, size_t count), void *ctx);

/*
 * Passes every register and memory by its RTL name to `take`, if the build kept names
 * (TERN_MODEL_NAMED); otherwise none.
 */
void tern_model_named(struct tern_model *model,
                      void (*take)(void *ctx, const char *name, const void *bytes, size_t count),
                      void *ctx);

/*
 * Flips one bit of that state, in its byte `byte`; for tests. The first TERN_MODEL_STATE_HEAD bytes
 * belong to Verilator and must not change.
 */
void tern_model_flip(struct tern_model *model, size_t byte, unsigned bit);

/*
 * Advances state that only counts time (the cycle counter, the watchdog and the periods of host
 * reads) by `cycles`, which may be negative. It must be a multiple of the period of other
 * free-running state (sim/node/rest.h), and no timer may become due within it.
 */
void tern_model_turn(struct tern_model *model, int64_t cycles);

/*
 * Cycles until the core's timer or the watchdog is due; 0 when one is, and while a host read or
 * write is open.
 */
uint64_t tern_model_timer(struct tern_model *model);

/*
 * Writes an FST waveform of all later clocks; a time unit is half a clock. False in the fast build,
 * or when the file cannot be created.
 */
bool tern_model_dump(struct tern_model *model, const char *path);

#ifdef __cplusplus
}
#endif

#endif
