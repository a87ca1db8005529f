// SPDX-License-Identifier: Apache-2.0
//
// Implements tern_model_kind.h with the verilated node. The makefile includes the header of
// Verilator's class before this file and defines the class (TERN_MODEL_CLASS), the kind's symbol
// (TERN_MODEL_NAME), its name (TERN_MODEL_TEXT), link ports (TERN_MODEL_LINKS) and functions
// (TERN_MODEL_FNS). With TERN_BOARD_CLASS it implements tern_board.h with the verilated top of a
// board. This is the product's only C++.
#ifdef TERN_BOARD_CLASS
#include "tern_board.h"

#include <new>

#include "verilated.h"

struct tern_board {
    VerilatedContext context;
    TERN_BOARD_CLASS top{&context};
};

extern "C" const char *tern_board_name(void)
{
    return TERN_BOARD_TEXT;
}

extern "C" tern_board *tern_board_new(void)
{
    return new (std::nothrow) tern_board;
}

extern "C" void tern_board_free(tern_board *board)
{
    if (board == nullptr)
        return;
    /* Verilator takes scopes out of the thread's context; see use_context() below. */
    Verilated::threadContextp(&board->context);
    board->top.final();
    delete board;
    Verilated::threadContextp(nullptr);
}

/* A template, so that a board is not asked for pins that it does not have. */
template <typename Top> void tern_board_serial(Top &top, tern_board_pins *pins)
{
    top.ftdi_txd = pins->serial_in;
    top.clk_25mhz = 0;
    top.eval();
    top.clk_25mhz = 1;
    top.eval();
    pins->serial_out = top.ftdi_rxd;
}

template <typename Top> void tern_board_ether(Top &top, tern_board_pins *pins)
{
    top.rgmii_rxc = pins->rgmii_in_clock;
    top.rgmii_rx_ctl = (pins->rgmii_in & TERN_BOARD_RGMII_CTL) != 0;
    top.rgmii_rxd = pins->rgmii_in & (TERN_BOARD_RGMII_CTL - 1);
    top.link_rxc = pins->link_in_clock;
    top.link_rx_ctl = (pins->link_in & TERN_BOARD_RGMII_CTL) != 0;
    top.link_rxd = pins->link_in & (TERN_BOARD_RGMII_CTL - 1);
    top.first_n = !pins->first;
    top.second_n = !pins->second;
    top.clk_25mhz = !top.clk_25mhz;
    top.eval();
    pins->link_out_clock = top.link_txc;
    pins->link_out = top.link_txd | (top.link_tx_ctl ? TERN_BOARD_RGMII_CTL : 0);
    pins->phy_on = top.phy_rst_n;
    pins->rgmii_out_clock = top.rgmii_txc;
    pins->rgmii_out = top.rgmii_txd | (top.rgmii_tx_ctl ? TERN_BOARD_RGMII_CTL : 0);
}

extern "C" void tern_board_step(tern_board *board, tern_board_pins *pins)
{
    auto &top = board->top;

    top.flash_miso = pins->flash_miso;
    TERN_BOARD_PINS(top, pins);
    pins->flash_select = !top.flash_csn;
    pins->flash_mosi = top.flash_mosi;
    pins->flash_clock = top.rootp->TERN_BOARD_MCLK;
}
#else
#include "tern_model_kind.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

using Node = TERN_MODEL_CLASS;
#include "verilated.h"
#include "verilated_save.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

namespace {

#ifdef TERN_MODEL_WITH_TREE
constexpr unsigned Tree = TERN_MODEL_TREE;
#else
constexpr unsigned Tree = 0;
#endif
constexpr int Ports = TERN_MODEL_LINKS + int(Tree);

/* Bytes of a beat: the width of the pin for host data. */
constexpr unsigned Beat = sizeof(std::remove_reference_t<decltype(Node::hrd_data_i)>);
static_assert(Beat == 4 || Beat == 8, "a beat has 32 or 64 bits");

struct Chip {
    VerilatedContext context;
    std::unique_ptr<Node> top;
#if VM_TRACE_FST
    std::unique_ptr<VerilatedFstC> dump;
#endif
};

Chip *chip_of(tern_model_chip *chip)
{
    return reinterpret_cast<Chip *>(chip);
}

/* Sets a pin of any width. */
template <typename Pin> void put(Pin &pin, uint64_t value)
{
    pin = static_cast<Pin>(value);
}

/*
 * Sets one link's beat of a pin with a beat for each link; Verilator represents up to 64 bits as a
 * number.
 */
template <typename Pin> void put_beat(Pin &pin, int port, uint64_t data)
{
    if constexpr (std::is_integral_v<Pin>) {
        const Pin mask = static_cast<Pin>(UINT32_MAX);
        pin = (pin & ~(mask << (32 * port))) | (static_cast<Pin>(data) & mask) << (32 * port);
    } else if constexpr (Beat == 4) {
        pin[port] = uint32_t(data);
    } else {
        pin[2 * port] = uint32_t(data);
        pin[2 * port + 1] = uint32_t(data >> 32);
    }
}

template <typename Pin> uint64_t take_beat(const Pin &pin, int port)
{
    if constexpr (std::is_integral_v<Pin>)
        return pin >> (32 * port) & UINT32_MAX;
    else if constexpr (Beat == 4)
        return pin[port];
    else
        return uint64_t(pin[2 * port + 1]) << 32 | pin[2 * port];
}

void put_host_pins(Node &top, const tern_model_in &in)
{
    top.hrq_ready_i = in.hrq_ready;
    top.hrd_valid_i = in.hrd_valid;
    if (in.hrd_valid) {
        top.hrd_tag_i = in.hrd_tag;
        put(top.hrd_data_i, in.hrd_data);
        top.hrd_last_i = in.hrd_last;
        top.hrd_err_i = in.hrd_err;
    }
    top.hwr_ready_i = in.hwr_ready;
    top.hwb_valid_i = in.hwb_valid;
    top.hwb_tag_i = in.hwb_tag;
    top.hwb_err_i = in.hwb_err;
    top.bar_valid_i = in.bar_valid;
    if (in.bar_valid) {
        top.bar_write_i = in.bar_write;
        top.bar_fn_i = in.bar_fn;
        top.bar_addr_i = in.bar_addr;
        top.bar_wdata_i = in.bar_wdata;
        top.bar_be_i = in.bar_be;
    }
}

void put_other_pins(Node &top, const tern_model_in &in)
{
    top.rst_ni = in.rst_n;
    top.fl_valid_i = in.fl_valid;
    top.fl_data_i = in.fl_data;
    top.strap_node_i = in.strap_node;
    top.strap_dims_i = in.strap_dims;
    top.strap_clock_hz_i = in.strap_clock_hz;
    top.strap_host_latency_i = in.strap_host_latency;
    top.strap_life_i = in.strap_life;
    top.dbg_op_i = in.dbg_op;
    top.dbg_addr_i = in.dbg_addr;
    top.dbg_data_i = in.dbg_data;

    unsigned valid = 0;
    unsigned kind = 0;
    for (int p = 0; p < Ports; p++) {
        const tern_model_beat &beat = in.lrx[p];
        if (!beat.valid)
            continue;
        valid |= 1u << p;
        kind |= unsigned(beat.kind) << (2 * p);
        put_beat(top.lrx_data_i, p, beat.data);
    }
    put(top.lrx_valid_i, valid);
    put(top.lrx_kind_i, kind);
}

void take_host_pins(const Node &top, tern_model_out &out)
{
    out.hrq_valid = top.hrq_valid_o;
    if (out.hrq_valid) {
        out.hrq_fn = top.hrq_fn_o;
        out.hrq_tag = top.hrq_tag_o;
        out.hrq_bytes = top.hrq_bytes_o;
        out.hrq_addr = top.hrq_addr_o;
    }
    out.hwr_valid = top.hwr_valid_o;
    if (out.hwr_valid) {
        out.hwr_last = top.hwr_last_o;
        out.hwr_irq = top.hwr_irq_o;
        out.hwr_fn = top.hwr_fn_o;
        out.hwr_tag = top.hwr_tag_o;
        out.hwr_bytes = top.hwr_bytes_o;
        out.hwr_addr = top.hwr_addr_o;
        out.hwr_data = top.hwr_data_o;
    }
    out.bar_ready = top.bar_ready_o;
    out.bar_rvalid = top.bar_rvalid_o;
    out.bar_rdata = top.bar_rdata_o;
}

void take_other_pins(const Node &top, tern_model_out &out)
{
    out.fl_req = top.fl_req_o;
    out.fl_addr = top.fl_addr_o;
    out.fl_life = top.fl_life_o;
    for (int p = 0; p < Ports; p++) {
        tern_model_beat &beat = out.ltx[p];
        beat.valid = top.ltx_valid_o >> p & 1;
        if (!beat.valid)
            continue;
        beat.kind = top.ltx_kind_o >> (2 * p) & 3;
        beat.data = take_beat(top.ltx_data_o, p);
    }
    out.retire_valid = top.retire_valid_o;
    out.retire_pc = top.retire_pc_o;
    out.dbg_state = top.dbg_state_o;
    out.dbg_pc = top.dbg_pc_o;
    out.dbg_insn = top.dbg_insn_o;
    out.dbg_value = top.dbg_value_o;
#ifdef TERN_RVFI
    out.retire_cause = top.rootp->tern_node__DOT__u_cluster__DOT__u_core__DOT__u_lost__DOT__cause;
#endif
    out.tr_valid = top.tr_valid_o;
    if (out.tr_valid == 0)
        return;
    out.tr_cycle = top.tr_cycle_o;
    for (int w = 0; w < TERN_MODEL_TRACE_WORDS; w++)
        out.tr_id[w] = top.tr_id_o[w];
}

/* Evaluates with the clock at `level`, and writes one time unit of the waveform. */
void half_clock(Chip &chip, bool level)
{
    chip.top->clk_i = level;
    chip.top->eval();
#if VM_TRACE_FST
    if (!level && chip.context.time() == 0)
        return; /* time starts with a rising edge */
    if (chip.dump)
        chip.dump->dump(uint64_t(chip.context.time()));
    chip.context.timeInc(1);
#endif
}

/*
 * Names the chip's context as the thread's own. Verilator registers a model's scopes in the
 * thread's context and takes them out of it again; without this that is the context made last,
 * which may belong to another chip that is gone.
 */
void use_context(Chip &chip)
{
    Verilated::threadContextp(&chip.context);
}

void chip_delete(Chip *chip)
{
    use_context(*chip);
    chip->top.reset();
    Verilated::threadContextp(nullptr);
    chip->~Chip();
    std::free(chip);
}

tern_model_chip *chip_make()
{
    /* Zeroed, because serialisation includes the padding in a context. */
    void *place = std::calloc(1, sizeof(Chip));

    if (place == nullptr)
        return nullptr;
    auto *chip = new (place) Chip;

#if VM_TRACE_FST
    chip->context.traceEverOn(true);
#endif
    chip->top.reset(new (std::nothrow) Node(&chip->context));
    if (!chip->top) {
        chip_delete(chip);
        return nullptr;
    }
    return reinterpret_cast<tern_model_chip *>(chip);
}

void chip_end(tern_model_chip *chip)
{
#if VM_TRACE_FST
    if (chip_of(chip)->dump)
        chip_of(chip)->dump->close();
#endif
    use_context(*chip_of(chip));
    chip_of(chip)->top->final();
    chip_delete(chip_of(chip));
}

void chip_step(tern_model_chip *chip, const tern_model_in *in, tern_model_out *out)
{
    Chip &model = *chip_of(chip);
    Node &top = *model.top;

    put_host_pins(top, *in);
    put_other_pins(top, *in);
    half_clock(model, false);
    half_clock(model, true);
    take_host_pins(top, *out);
    take_other_pins(top, *out);
}

/* ---- state, in Verilator's serialised form ---- */

/* Passes the written bytes on, piece by piece. */
class Writer final : public VerilatedSerialize {
public:
    Writer(void (*take)(void *ctx, const void *bytes, size_t count), void *ctx)
        : m_take{take}, m_ctx{ctx} {}
    void flush() override
    {
        m_take(m_ctx, m_bufp, size_t(m_cp - m_bufp));
        m_cp = m_bufp;
    }

private:
    void (*m_take)(void *ctx, const void *bytes, size_t count);
    void *m_ctx;
};

/* Reads from memory. */
class Reader final : public VerilatedDeserialize {
public:
    explicit Reader(const std::vector<uint8_t> &from)
        : m_at{from.data()}, m_left{from.size()} { m_endp = m_cp; }
    void fill() override
    {
        size_t kept = size_t(m_endp - m_cp);
        size_t more = std::min(m_left, bufferSize() - kept);

        memmove(m_bufp, m_cp, kept);
        memcpy(m_bufp + kept, m_at, more);
        m_cp = m_bufp;
        m_endp = m_bufp + kept + more;
        m_at += more;
        m_left -= more;
    }

private:
    const uint8_t *m_at;
    size_t m_left;
};

void append(void *ctx, const void *bytes, size_t count)
{
    auto *to = static_cast<std::vector<uint8_t> *>(ctx);
    auto *from = static_cast<const uint8_t *>(bytes);

    to->insert(to->end(), from, from + count);
}

void chip_state(tern_model_chip *chip, void (*take)(void *ctx, const void *bytes, size_t count),
                void *ctx)
{
    Writer writer{take, ctx};

    writer << *chip_of(chip)->top;
    writer.flush();
}

void chip_named(tern_model_chip *chip,
                void (*take)(void *ctx, const char *name, const void *bytes, size_t count),
                void *ctx)
{
#ifdef TERN_MODEL_NAMED
    const auto &root = *chip_of(chip)->top->rootp;
#define TERN_MODEL_REGISTER(member, name) take(ctx, name, &root.member, sizeof root.member);
#include TERN_MODEL_NAMED
#undef TERN_MODEL_REGISTER
#else
    (void)chip;
    (void)take;
    (void)ctx;
#endif
}

void chip_flip(tern_model_chip *chip, size_t byte, unsigned bit)
{
    std::vector<uint8_t> state;

    chip_state(chip, append, &state);
    state[byte] ^= uint8_t(1u << bit);
    Reader reader{state};
    reader >> *chip_of(chip)->top;
}

/* ---- time ---- */

/* Adjusts copies that Verilator may keep beside a register. */
template <typename Root> auto turn_cycle_copy(Root &root, int64_t cycles, int)
    -> decltype(void(root.__Vdly__tern_node__DOT__cycle))
{
    root.__Vdly__tern_node__DOT__cycle += uint64_t(cycles);
}
template <typename Root> void turn_cycle_copy(Root &, int64_t, long) {}

/* Adjusts the core's own cycle counter, and its next value. */
template <typename Root> auto turn_mcycle(Root &root, int64_t cycles, int)
    -> decltype(void(root.tern_node__DOT__u_cluster__DOT__u_core__DOT__u_csr__DOT__cycle_q))
{
    root.tern_node__DOT__u_cluster__DOT__u_core__DOT__u_csr__DOT__cycle_q += uint64_t(cycles);
}
template <typename Root> void turn_mcycle(Root &, int64_t, long) {}

template <typename Root> auto turn_mcycle_copy(Root &root, int64_t cycles, int)
    -> decltype(void(root.tern_node__DOT__u_cluster__DOT__u_core__DOT__u_csr__DOT__cycle_d))
{
    root.tern_node__DOT__u_cluster__DOT__u_core__DOT__u_csr__DOT__cycle_d += uint64_t(cycles);
}
template <typename Root> void turn_mcycle_copy(Root &, int64_t, long) {}

template <typename Root> auto turn_watchdog_copy(Root &root, int64_t cycles, int)
    -> decltype(void(root.tern_node__DOT__u_mmio__DOT__wdog_next))
{
    root.tern_node__DOT__u_mmio__DOT__wdog_next -= uint32_t(cycles);
}
template <typename Root> void turn_watchdog_copy(Root &, int64_t, long) {}

template <typename Root> auto turn_reads_copy(Root &root, int)
    -> decltype(void(root.__Vdly__tern_node__DOT__u_hostrd_back__DOT__left_q))
{
    root.__Vdly__tern_node__DOT__u_hostrd_back__DOT__left_q =
        root.tern_node__DOT__u_hostrd_back__DOT__left_q;
    root.__Vdly__tern_node__DOT__u_hostrd_back__DOT__period_q =
        root.tern_node__DOT__u_hostrd_back__DOT__period_q;
}
template <typename Root> void turn_reads_copy(Root &, long) {}

/*
 * Adjusts the period counter of host reads (tern_hostrd_back, with its parameters there). Call
 * while no request is at the pins.
 */
template <typename Root> void turn_reads(Root &root, int64_t cycles)
{
    constexpr unsigned Shift = 8, Least = 128, Periods = 16;
    auto &left = root.tern_node__DOT__u_hostrd_back__DOT__left_q;
    auto &period = root.tern_node__DOT__u_hostrd_back__DOT__period_q;
    auto &asked = root.tern_node__DOT____Vcellout__u_hostrd_back__hrq_period_o;
    int64_t most = int64_t(std::max<unsigned>(root.tern_node__DOT__host_latency, Least)) << Shift;
    int64_t length = most + 1;

    if (root.hrq_valid_o || left > most)
        return;
    int64_t at = most - left + cycles, begun = at / length;

    if (at % length < 0)
        begun--;
    left = uint32_t(most - (at - begun * length));
    period = uint8_t((period + begun) & (Periods - 1));
    turn_reads_copy(root, 0);
    asked = uint8_t((period - (left == most ? 1 : 0)) & (Periods - 1)); /* one clock later */
    root.hrq_tag_o = uint8_t((root.hrq_tag_o & (Periods - 1)) | asked * Periods);
}

/*
 * For kinds with other register names, such as a netlist, time cannot be adjusted: a timer is
 * always due.
 */
template <typename Root, typename = void> struct Time {
    static void turn(Root &, int64_t) {}
    static uint64_t timer(const Root &) { return 0; }
};

template <typename Root>
struct Time<Root, std::void_t<decltype(Root::tern_node__DOT__cycle),
                              decltype(Root::tern_node__DOT__u_mmio__DOT__wdog_q),
                              decltype(Root::tern_node__DOT__u_mmio__DOT__u_ram__DOT__g_block__DOT__mem)>> {
    static void turn(Root &root, int64_t cycles)
    {
        root.tern_node__DOT__cycle += uint64_t(cycles);
        turn_cycle_copy(root, cycles, 0);
        turn_mcycle(root, cycles, 0);
        turn_mcycle_copy(root, cycles, 0);
        turn_reads(root, cycles);
        if (root.tern_node__DOT__u_mmio__DOT__wdog_q == 0)
            return;
        root.tern_node__DOT__u_mmio__DOT__wdog_q -= uint32_t(cycles);
        turn_watchdog_copy(root, cycles, 0);
    }

    static uint64_t timer(const Root &root)
    {
        constexpr int Compare = 256; /* its address in the memory of tern_mmio */
        const auto &memory = root.tern_node__DOT__u_mmio__DOT__u_ram__DOT__g_block__DOT__mem;
        uint64_t due = uint64_t(memory[Compare + 1]) << 32 | memory[Compare];
        uint64_t now = root.tern_node__DOT__cycle;
        uint64_t left = due > now ? due - now : 0;
        uint64_t watchdog = root.tern_node__DOT__u_mmio__DOT__wdog_q;

        if (root.tern_node__DOT__u_hostrd_back__DOT__open_q != 0)
            return 0; /* a host read without an answer ends by a time-out */
        if (root.tern_node__DOT__u_dma_wr__DOT__u_back__DOT__sent_q !=
            root.tern_node__DOT__u_dma_wr__DOT__u_back__DOT__ended_q)
            return 0; /* so does a host write */
        return watchdog != 0 ? std::min(left, watchdog) : left;
    }
};

using Root = std::remove_reference_t<decltype(*std::declval<Node &>().rootp)>;

void chip_turn(tern_model_chip *chip, int64_t cycles)
{
    Node &top = *chip_of(chip)->top;

    Time<Root>::turn(*top.rootp, cycles);
    top.tr_cycle_o += uint32_t(cycles);
}

uint64_t chip_timer(tern_model_chip *chip)
{
    return Time<Root>::timer(*chip_of(chip)->top->rootp);
}

bool chip_dump(tern_model_chip *chip, const char *path)
{
#if VM_TRACE_FST
    Chip &model = *chip_of(chip);

    model.dump.reset(new VerilatedFstC);
    model.top->trace(model.dump.get(), 99);
    model.dump->open(path);
    return model.dump->isOpen();
#else
    (void)chip;
    (void)path;
    return false;
#endif
}

} // namespace

extern "C" const struct tern_model_kind TERN_MODEL_NAME = {
    {TERN_MODEL_TEXT, TERN_MODEL_LINKS, Beat, TERN_MODEL_FNS, Tree},
    chip_make, chip_end, chip_step, chip_state, chip_named, chip_flip, chip_turn, chip_timer, chip_dump};
#endif
