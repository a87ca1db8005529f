// SPDX-License-Identifier: Apache-2.0
//
// Bench of a tree of 31 nodes in five layers (tern_tree), with links of 64 or of 32 bits: four groups at a time contribute at
// random, over wires that are damaged or cut, with members that are slow, wrong or never come.
// Beside them each rank sends packets to others.
//
// Invariants: no member ever gets a wrong result; each operation ends with its result or with a
// status; a group that fails leaves the others alone; packets for a rank come once, in order and
// whole, all of them without cuts; no link goes down but by a cut. A run prints
// its seed. usage: tree [+seed=N] [+rounds=N] [+figures=1]; rounds: of random faults; figures: these
// alone.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "Vtern_tree.h"
#include "verilated.h"
#include "tern_abi.h"

namespace {

constexpr int kNodes = 31, kGroups = 4, kWires = 3 * kNodes;
constexpr int kHalves = sizeof(Vtern_tree::lrx_data_i) / (3 * sizeof(uint32_t));   // of a beat
constexpr int kLinkBits = 32 * kHalves;
constexpr int kParent = 2;                    // link
constexpr int kWaitEvery = 512;               // cycles of a tick of the patience, as in net.mk
constexpr int kPatience = 8;                  // of a leaf, in ticks; each layer above: so much more
constexpr int kWindow = 16;                   // operations of a member under way
constexpr int kMaxWords = 64;

enum Status { kNone, kTimeout, kLinkDown, kMismatch, kMalformed, kOverrun, kDamaged, kNoGroup };
enum Fault {
    kWell,
    kOtherOp,        // another operation
    kOtherLength,    // another length, in a proper packet
    kOtherType,      // no contribution
    kOddLength,      // no multiple of the word
    kOtherGroup,     // a group that no node has
    kNoRoom,         // does not wait for room
    kOldEpoch,
    kOtherNumber,    // operations in another order
    kNoSuchOp,
    kFaults
};

// ---------------------------------------------------------------------------------- chance
uint64_t chance_state = 1;

uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

int below(int bound)
{
    chance_state = mix(chance_state);
    return static_cast<int>(chance_state % static_cast<uint64_t>(bound));
}

bool percent(int of) { return below(100) < of; }

// ------------------------------------------------------------------------------------- TAP
int tests, failures;

void check(bool ok, const char *name)
{
    tests++;
    failures += !ok;
    std::printf("%s %d - %s\n", ok ? "ok" : "not ok", tests, name);
    std::fflush(stdout);
    // A broken chip would let many waits run to their limits.
    if (failures == 3) {
        std::printf("# gives up\n1..%d\n", tests);
        std::exit(1);
    }
}

// ----------------------------------------------------------------------------------- wires
struct Beat {
    bool valid = false;
    unsigned kind = 0;
    uint64_t data = 0;
};

// A wire with latency, noise (beats are damaged, lost, repeated or delayed) and a cut. `noise`: of
// 100000 beats of 64 bits; a packet suffers alike whatever their width.
struct Wire {
    std::vector<Beat> line = std::vector<Beat>(64);
    Beat held;
    unsigned at = 0;

    Beat step(Beat beat, int latency, int noise, bool cut, int *damaged)
    {
        if (!beat.valid) {
            beat = held;
            held = Beat();
        } else if (noise && below(200000) < noise * kHalves) {
            (*damaged)++;
            switch (below(10)) {
            case 0: beat.valid = false; break;
            case 1: beat.kind = static_cast<unsigned>(below(4)); break;
            case 2: held = beat; break;
            case 3: held = beat; beat.valid = false; break;
            default: beat.data ^= uint64_t{1} << below(kLinkBits); break;
            }
        }
        if (cut) beat = Beat();
        line[at % 64] = beat;
        at++;
        return line[(at - static_cast<unsigned>(latency)) % 64];
    }
};

// ------------------------------------------------------------------------------ operations
struct Op {
    int op, bytes;
    bool wide, with_sign, some;      // some: a member has a payload
    uint64_t key, empty;             // empty: members without payload, by rank
    std::vector<uint64_t> result;
};

uint64_t plan_seed;
int fixed_bytes = -1;                // of all operations; -1: any
uint32_t members[kGroups];
std::vector<Op> plans[kGroups];

uint64_t draw(int g, int number, int salt)
{
    const uint64_t what = static_cast<uint64_t>(g) << 40 | static_cast<uint64_t>(number) << 16;
    return mix(plan_seed + mix(what | static_cast<uint64_t>(salt)));
}

uint64_t word_of(const Op &op, int g, int number, int rank, int index)
{
    uint64_t word = draw(g, number, 1000 + kMaxWords * rank + index);
    return 8 * index + 8 > op.bytes ? word & 0xffffffff : word;
}

// The specification of the ALU, word by word.
uint64_t combine_word(int op, bool with_sign, int bits, uint64_t a, uint64_t b)
{
    const uint64_t mask = bits == 64 ? ~uint64_t{0} : 0xffffffff;
    const int64_t sa = bits == 64 ? static_cast<int64_t>(a) : static_cast<int32_t>(a);
    const int64_t sb = bits == 64 ? static_cast<int64_t>(b) : static_cast<int32_t>(b);
    const bool less = with_sign ? sb < sa : b < a;
    switch (op) {
    case 0: return (a + b) & mask;
    case 1: return less ? b : a;
    case 2: return less ? a : b;
    case 3: return a & b;
    case 4: return a | b;
    default: return a ^ b;
    }
}

uint64_t combine(const Op &op, uint64_t a, uint64_t b)
{
    if (op.wide) return combine_word(op.op, op.with_sign, 64, a, b);
    return combine_word(op.op, op.with_sign, 32, a >> 32, b >> 32) << 32 |
           combine_word(op.op, op.with_sign, 32, a & 0xffffffff, b & 0xffffffff);
}

Op make_plan(int g, int number)
{
    const uint64_t x = draw(g, number, 1);
    Op op = {};
    op.op = static_cast<int>(x % 6);
    op.wide = x >> 8 & 1;
    op.with_sign = x >> 9 & 1;
    const int unit = op.wide ? 8 : 4;
    switch (x >> 10 & 7) {
    case 0: op.bytes = 0; break;
    case 1: case 2: op.bytes = unit; break;
    case 3: op.bytes = 512; break;
    case 4: op.bytes = unit * (1 + static_cast<int>(x >> 16 & 255) % (512 / unit)); break;
    default: op.bytes = unit * (1 + static_cast<int>(x >> 16 & 255) % 12); break;
    }
    if (fixed_bytes >= 0) op.bytes = fixed_bytes;
    // One in eight a broadcast, one a barrier, one with some members that have nothing to add.
    switch (fixed_bytes >= 0 ? (fixed_bytes == 0 ? 1 : 7) : x >> 24 & 7) {
    case 0: {
        int from = static_cast<int>(x >> 32 & 0xff) % kNodes;
        while (!(members[g] >> from & 1)) from = (from + 1) % kNodes;
        op.empty = ~(uint64_t{1} << from);
        break;
    }
    case 1: op.empty = ~uint64_t{0}; break;
    case 2: op.empty = x >> 32; break;
    default: break;
    }
    op.key = (draw(g, number, 2) & 0xffffffe0) | static_cast<uint64_t>(op.with_sign) << 4 |
             static_cast<uint64_t>(op.wide) << 3 | static_cast<uint64_t>(op.op);
    op.some = (members[g] & ~op.empty) != 0;
    for (int i = 0; i < (op.bytes + 7) / 8; i++) {
        uint64_t sum = 0;
        bool first = true;
        for (int r = 0; r < kNodes; r++) {
            if (!(members[g] >> r & 1) || (op.empty >> r & 1)) continue;
            const uint64_t word = word_of(op, g, number, r, i);
            sum = first ? word : combine(op, sum, word);
            first = false;
        }
        op.result.push_back(sum);
    }
    return op;
}

const Op &plan(int g, int number)
{
    while (static_cast<int>(plans[g].size()) <= number)
        plans[g].push_back(make_plan(g, static_cast<int>(plans[g].size())));
    return plans[g][static_cast<size_t>(number)];
}

int words_of(const Op &op, bool empty) { return 5 + (empty ? 0 : (op.bytes + 7) / 8); }

uint64_t beat_of(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

// A beat of the header, with the layout TRP of the contract.
uint64_t header(int index, const Op &op, int g, int number, int epoch, int rank, bool empty)
{
    switch (index) {
    case 0:
        return beat_of(TERN_V(PKT, words, words_of(op, empty)) | TERN_V(PKT, vn, TERN_VN_DATA),
                       TERN_V(PKT, box, (epoch & 255) << 7 | g));
    case 1:
        return beat_of(TERN_V(PKT, type, 0x40) | TERN_V(PKT, flags, empty) |
                       TERN_V(PKT, version, TERN_PKT_VERSION),
                       TERN_V(PKT, src, rank) | TERN_V(PKT, length, op.bytes));
    case 3:
        return beat_of(static_cast<uint32_t>(op.key),
                       TERN_V(PKT, opid, draw(g, number, 3)) | TERN_V(PKT, number, number));
    default: return 0;
    }
}

// --------------------------------------------------------------------------------- members
struct Member {
    // of each group
    int sent[kGroups] = {}, good[kGroups] = {}, status[kGroups] = {}, failed_rank[kGroups] = {},
        events[kGroups] = {};
    int wrong = 0, beats = 0;
    bool lazy = false, spoils = false;
    uint32_t quiet = 0;              // groups to which it contributes nothing
    Fault fault = kWell;
    // under way
    bool busy = false, faulty = false, empty = false, valid = false, eop = false;
    int g = 0, at = 0, words = 0, more = 0, turn = 0;
    uint64_t data = 0;
    int rx_at = 0, rx_g = 0;
    uint64_t rx[5 + kMaxWords] = {};
};

// Packets of a node for other ranks, and those that come.
struct Mail {
    bool busy = false, valid = false;
    int to = 0, at = 0, words = 0;
    uint64_t data = 0;
    int sent[kNodes] = {}, came[kNodes] = {}, wrong = 0;    // by rank; came: the next number
    int rx_at = 0, lost = 0;
    uint64_t rx[5 + kMaxWords] = {};
};

int mail_percent;                    // a rank that may send begins to
uint64_t mail_seed;

// A beat of packet `number` from one rank to another.
uint64_t mail_beat(int from, int to, int number, int at, int words)
{
    switch (at) {
    case 0:
        return uint64_t{TERN_V(PKT, box, to)} << 32 | TERN_V(PKT, words, words) |
               TERN_V(PKT, vn, TERN_VN_REQUEST);
    case 1: return static_cast<uint64_t>(from);
    case 2: return static_cast<uint64_t>(number);
    default:
        return at == words - 1 ? 0xfeed :   // the links fill in the upper half
               mix(mail_seed + static_cast<uint64_t>(((from * kNodes + to) * 4096 + number) * 128 +
                                                     at));
    }
}

// The packets of a node: one step after `taken` of its beat.
void send_mail(Mail &m, int rank, bool taken)
{
    if (m.valid && taken) {
        m.valid = false;
        if (m.at == m.words) {
            m.busy = false;
            m.sent[m.to]++;
        }
    }
    if (!m.busy) {
        if (!mail_percent || !percent(mail_percent)) return;
        m.to = below(3) ? below(kNodes) : 0;
        m.words = below(4) ? 6 + below(8) : 5 + kMaxWords;
        m.busy = true;
        m.at = 0;
    }
    if (m.valid) return;
    m.data = mail_beat(rank, m.to, m.sent[m.to], m.at, m.words);
    m.valid = true;
    m.at++;
}

void take_mail(Mail &m, int rank, bool sop, bool eop, uint64_t data)
{
    if (sop != (m.rx_at == 0) || m.rx_at >= 5 + kMaxWords) m.wrong++;
    else m.rx[m.rx_at++] = data;
    if (!eop) return;
    const int words = m.rx_at, from = static_cast<int>(m.rx[1] & 31),
              number = static_cast<int>(m.rx[2]);
    m.rx_at = 0;
    bool good = from < kNodes && number >= m.came[from % kNodes];
    for (int i = 0; good && i < words; i++) {
        // The links fill in their fields.
        const uint64_t kept = i == 0 ? 0x7fff03ffffff : i == words - 1 ? 0xffffffff : ~uint64_t{0};
        good = (m.rx[i] & kept) == mail_beat(from, rank, number, i, words);
    }
    m.wrong += !good;
    if (!good) {
        std::printf("# rank %d: wrong packet %d of rank %d, %d words\n", rank, number, from, words);
        return;
    }
    m.lost += number - m.came[from];
    m.came[from] = number + 1;
}

int epochs[kGroups], fault_group, fault_from, limit, bubble = 20, slow = 20, latency = 8, noise;
uint32_t go;
uint64_t now;

struct Node {
    std::unique_ptr<Vtern_tree> chip = std::make_unique<Vtern_tree>();
    Member m;
    Mail mail;
    bool on[kGroups] = {}, root[kGroups] = {};
    unsigned expect[kGroups] = {};
    uint64_t cut_at = 0;
    bool cut = false;
};

Node nodes[kNodes];
Wire wires[kWires];                  // by the node and port that they arrive at
int damaged, errors, falls, strange;

int parent_of(int n) { return (n - 1) / 2; }
int height(int n) { return n == 0 ? 4 : n < 3 ? 3 : n < 7 ? 2 : n < 15 ? 1 : 0; }

bool lies_below(int n, int top)
{
    while (n > top) n = parent_of(n);
    return n == top;
}

uint32_t subtree(int top)
{
    uint32_t set = 0;
    for (int n = 0; n < kNodes; n++)
        if (lies_below(n, top)) set |= 1u << n;
    return set;
}

uint64_t spoilt(const Member &m, uint64_t beat)
{
    const auto other = [&](int lsb, int width, uint64_t value) {
        const uint64_t mask = ((uint64_t{1} << width) - 1) << lsb;
        beat = (beat & ~mask) | (value << lsb & mask);
    };
    const uint64_t was = beat;
    if (m.at == 0 && m.fault == kOtherGroup) other(32, 7, 5);
    if (m.at == 0 && m.fault == kOldEpoch) other(39, 8, (was >> 39) - 1);
    if (m.at == 0 && m.fault == kOtherLength) other(18, 8, static_cast<uint64_t>(m.words));
    if (m.at == 1 && m.fault == kOtherLength)
        other(48, 11, (was >> 48) + static_cast<uint64_t>(8 * m.more));
    if (m.at == 1 && m.fault == kOtherType) other(0, 8, 0x41);
    if (m.at == 1 && m.fault == kOddLength) other(48, 11, was >> 48 ^ 1);
    if (m.at == 3 && m.fault == kOtherOp) other(0, 3, ((was & 7) + 1) % 6);
    if (m.at == 3 && m.fault == kNoSuchOp) other(0, 3, 6);
    if (m.at == 3 && m.fault == kOtherNumber) other(48, 16, was >> 48 ^ 1);
    return beat;
}

// Chooses the member's next contribution, if it may begin one.
void begin_contribution(Member &m, int rank, uint32_t room)
{
    m.turn = (m.turn + 1) % kGroups;
    const int g = m.turn, number = m.sent[g];
    const bool faulty = m.fault != kWell && fault_group == g && number >= fault_from;
    if (!(go >> g & 1) || !(members[g] >> rank & 1) || (m.quiet >> g & 1) || number >= limit ||
        m.status[g] != kNone || percent(bubble))
        return;
    if ((!(room >> g & 1) || number - m.good[g] >= kWindow) && !(faulty && m.fault == kNoRoom))
        return;
    const Op &op = plan(g, number);
    m.g = g;
    m.faulty = faulty;
    m.empty = op.empty >> rank & 1;
    m.words = words_of(op, m.empty);
    m.more = op.bytes <= 504 ? 1 : -1;
    if (faulty && m.fault == kOtherLength && !m.empty) m.words += m.more;
    m.busy = true;
    m.at = 0;
}

// The contributions of a member: one step after `taken` of its beat.
void contribute(Member &m, int rank, bool taken, uint32_t room)
{
    if (m.valid && taken) {
        m.valid = false;
        if (m.eop) {
            m.busy = false;
            m.sent[m.g]++;
        }
    }
    if (!m.busy) begin_contribution(m, rank, room);
    if (!m.busy || m.valid || percent(bubble)) return;
    const Op &op = plan(m.g, m.sent[m.g]);
    m.data = m.at < 4 ? header(m.at, op, m.g, m.sent[m.g], epochs[m.g], rank, m.empty) :
             m.at == m.words - 1 ? 0 : word_of(op, m.g, m.sent[m.g], rank, m.at - 4);
    if (m.faulty) m.data = spoilt(m, m.data);
    m.eop = m.at == m.words - 1;
    m.valid = true;
    m.at++;
}

// Tells whether the packet in `rx` is the result that the member waits for.
bool right(const Member &m, int words)
{
    const int g = m.rx_g, number = m.good[g];
    const Op &op = plan(g, number);
    // Nothing comes after a failure; results of earlier operations may come after a refusal.
    if (m.status[g] != kNone && m.status[g] != kNoGroup) return false;
    if (number >= m.sent[g] || words != words_of(op, !op.some)) return false;
    // The links fill in their fields of the first beat.
    constexpr uint64_t kKept = 0x7fff03ffffff;
    if ((m.rx[0] & kKept) != header(0, op, g, number, epochs[g], 0, !op.some)) return false;
    const uint64_t src = m.rx[1] >> 32 & 0xffff;
    if (src >= kNodes || !(members[g] >> src & 1)) return false;
    if (m.rx[1] != header(1, op, g, number, 0, static_cast<int>(src), !op.some)) return false;
    if (m.rx[3] != header(3, op, g, number, 0, 0, false)) return false;
    return !op.some || std::memcmp(m.rx + 4, op.result.data(), 8 * op.result.size()) == 0;
}

void take_result(Member &m, int rank, bool sop, bool eop, bool err, uint64_t data)
{
    m.beats++;
    bool bad = sop != (m.rx_at == 0) || m.rx_at >= 5 + kMaxWords;
    if (!bad) m.rx[m.rx_at] = data;
    if (m.rx_at == 0) m.rx_g = static_cast<int>(data >> 32 & 3);
    m.rx_at++;
    if (!eop) {
        m.wrong += bad;
        return;
    }
    const int words = m.rx_at;
    m.rx_at = 0;
    if (err) return;
    if (!bad && right(m, words)) {
        m.good[m.rx_g]++;
        return;
    }
    m.wrong++;
    std::printf("# %" PRIu64 ": rank %d group %d: wrong result %d, %d words, status %d\n", now,
                rank, m.rx_g, m.good[m.rx_g], words, m.status[m.rx_g]);
}

// The first status of a group counts.
void take_event(Member &m, unsigned box, int status, int rank)
{
    int g = static_cast<int>(box & 127);
    if (g >= kGroups || static_cast<int>(box >> 7) != (epochs[g] & 255)) {
        if (status != kNoGroup || m.fault == kWell) return;
        g = fault_group;                       // refused; noted with the group that was meant
    }
    m.events[g]++;
    if (m.status[g] != kNone) return;
    m.status[g] = status;
    m.failed_rank[g] = rank;
}

// ----------------------------------------------------------------------------------- clock
int setting_up = -1;                 // group

Beat leaving(const Vtern_tree &c, int port)
{
    Beat b;
    b.valid = c.ltx_valid_o >> port & 1;
    b.kind = c.ltx_kind_o >> 2 * port & 3;
    b.data = 0;
    for (int i = 0; i < kHalves; i++)
        b.data |= static_cast<uint64_t>(c.ltx_data_o[kHalves * port + i]) << 32 * i;
    return b;
}

void arriving(Vtern_tree &c, int port, const Beat &b)
{
    c.lrx_valid_i = static_cast<uint8_t>((c.lrx_valid_i & ~(1u << port)) |
                                         static_cast<unsigned>(b.valid) << port);
    c.lrx_kind_i = static_cast<uint8_t>((c.lrx_kind_i & ~(3u << 2 * port)) | b.kind << 2 * port);
    for (int i = 0; i < kHalves; i++)
        c.lrx_data_i[kHalves * port + i] = static_cast<uint32_t>(b.data >> 32 * i);
}

// Counts links that went down; one that was not cut is printed.
void note_falls(const Vtern_tree &c, int n)
{
    for (int p = 0; p < 3; p++) {
        if (!(c.fell_o >> p & 1)) continue;
        falls++;
        const int child = p == kParent ? n : 2 * n + 1 + p;
        if (nodes[child].cut || now - nodes[child].cut_at < 20000) continue;
        strange++;
        std::printf("# %" PRIu64 ": rank %d port %d: link down without a cut, why %d, noise %d\n",
                    now, n, p, c.why_o >> 2 * p & 3, noise);
    }
}

void drive(Node &node, int n)
{
    Vtern_tree &c = *node.chip;
    Member &m = node.m;
    c.clk_i = 0;
    c.spoil_i = m.spoils;
    c.tx_valid_i = m.valid;
    c.tx_eop_i = m.eop;
    c.tx_data_i = m.data;
    c.rx_ready_i = !percent(m.lazy ? 90 : slow);
    c.ev_ready_i = !percent(slow);
    c.cfg_valid_i = setting_up >= 0;
    if (setting_up >= 0) {
        c.cfg_group_i = static_cast<uint8_t>(setting_up);
        c.cfg_on_i = node.on[setting_up];
        c.cfg_epoch_i = static_cast<uint8_t>(epochs[setting_up]);
        c.cfg_expect_i = static_cast<uint8_t>(node.expect[setting_up]);
        c.cfg_root_i = node.root[setting_up];
    }
    c.rank_i = c.place_i = static_cast<uint16_t>(n);
    c.mtx_valid_i = node.mail.valid;
    c.mtx_eop_i = node.mail.at == node.mail.words;
    c.mtx_data_i = node.mail.data;
    c.mrx_ready_i = !mail_percent || !percent(slow);
    c.cfg_patience_i = static_cast<uint32_t>(kPatience * (height(n) + 1));
    c.eval();
}

void cycle()
{
    static Beat out[kWires];
    for (int n = 0; n < kNodes; n++) {
        Vtern_tree &c = *nodes[n].chip;
        Member &m = nodes[n].m;
        drive(nodes[n], n);
        const bool taken = c.tx_ready_o, mail_taken = c.mtx_ready_o;
        const uint32_t room = c.room_o;
        for (int p = 0; p < 3; p++) {
            out[3 * n + p] = leaving(c, p);
            errors += (c.bad_crc_o >> p & 1) + (c.bad_hdr_o >> p & 1);
        }
        if (c.fell_o) note_falls(c, n);
        if (c.rst_ni) {
            // A result that ends in this cycle comes before an event of it.
            if (c.rx_valid_o && c.rx_ready_i)
                take_result(m, n, c.rx_sop_o, c.rx_eop_o, c.rx_err_o, c.rx_data_o);
            if (c.ev_valid_o && c.ev_ready_i)
                take_event(m, c.ev_box_o, c.ev_status_o, c.ev_rank_o);
            if (c.mrx_valid_o && c.mrx_ready_i)
                take_mail(nodes[n].mail, n, c.mrx_sop_o, c.mrx_eop_o, c.mrx_data_o);
        }
        c.clk_i = 1;
        c.eval();
        if (c.rst_ni) contribute(m, n, taken, room);
        if (c.rst_ni) send_mail(nodes[n].mail, n, mail_taken);
    }
    for (int n = 0; n < kNodes; n++) {
        if (nodes[n].cut) nodes[n].cut_at = now;
        for (int p = 0; p < 3; p++) {
            const int peer = p == kParent ? parent_of(n) : 2 * n + 1 + p;
            if ((p == kParent && n == 0) || peer >= kNodes) continue;
            const int from = p == kParent ? 3 * peer + (n + 1) % 2 : 3 * peer + kParent;
            const bool cut = nodes[p == kParent ? n : peer].cut;
            arriving(*nodes[n].chip, p,
                     wires[3 * n + p].step(out[from], latency, noise, cut, &damaged));
        }
    }
    now++;
}

void cycles(int count)
{
    while (count-- > 0) cycle();
}

// ---------------------------------------------------------------------------------- groups
bool uses_link[kGroups][kNodes];     // to the parent

void set_up(int g, uint32_t who)
{
    int root = 0;
    for (int n = 0; n < kNodes; n++)
        if ((who & ~subtree(n)) == 0) root = n;
    members[g] = who;
    plans[g].clear();
    epochs[g]++;
    for (int n = 0; n < kNodes; n++) {
        Node &node = nodes[n];
        node.on[g] = lies_below(n, root) && (who & subtree(n)) != 0;
        node.root[g] = n == root;
        node.expect[g] = 0;
        if (node.on[g]) {
            node.expect[g] = (who >> n & 1) << 2;
            if (2 * n + 1 < kNodes && (who & subtree(2 * n + 1))) node.expect[g] |= 1;
            if (2 * n + 2 < kNodes && (who & subtree(2 * n + 2))) node.expect[g] |= 2;
        }
        uses_link[g][n] = node.on[g] && n != root;
        node.m.sent[g] = node.m.good[g] = node.m.status[g] = node.m.events[g] = 0;
    }
    setting_up = g;
    cycle();
    setting_up = -1;
}

uint32_t some_members(int g)
{
    const uint32_t all = (1u << kNodes) - 1, any = static_cast<uint32_t>(mix(chance_state)) & all;
    below(2);
    uint32_t who = g == 0 ? all : g == 1 ? any : g == 2 ? any & any >> 3 :
                   1u << below(kNodes) | 1u << below(kNodes);
    return who ? who : 1u << below(kNodes);
}

// Waits until nothing moves, so that a set-up meets no packet under way.
void quiesce()
{
    for (long last = -1, moved = 0; moved != last;) {
        last = moved;
        cycles(500 + 8 * latency);
        moved = 0;
        for (const Node &n : nodes) {
            moved += n.m.beats + n.m.at;
            for (int s : n.m.sent) moved += s;
        }
    }
}

void set_up_all()
{
    go = 0;
    quiesce();
    plan_seed = static_cast<uint64_t>(below(1 << 30));
    for (int g = 0; g < kGroups; g++) set_up(g, some_members(g));
    cycles(50);          // events of the groups that a node has given back, one by one
}

// Tells whether every member of the group satisfies `holds`.
template <typename F> bool each(int g, F holds)
{
    for (int n = 0; n < kNodes; n++)
        if ((members[g] >> n & 1) && !holds(nodes[n].m)) return false;
    return true;
}

bool ended(int g)
{
    return each(g, [g](const Member &m) { return m.status[g] != kNone || m.good[g] == limit; });
}

bool all_good(int g)
{
    return each(g, [g](const Member &m) { return m.status[g] == kNone && m.good[g] == limit; });
}

// Every member has this status, once, and one of the ranks.
bool all_failed(int g, int status, uint32_t ranks)
{
    return each(g, [=](const Member &m) {
        return m.status[g] == status && m.events[g] == 1 && (ranks >> m.failed_rank[g] & 1);
    });
}

int all_wrong()
{
    int sum = 0;
    for (const Node &n : nodes) sum += n.m.wrong;
    return sum;
}

void print_group(int g)
{
    for (int n = 0; n < kNodes; n++) {
        const Member &m = nodes[n].m;
        if (members[g] >> n & 1)
            std::printf("# group %d rank %d: sent %d of %d, got %d, status %d of rank %d, "
                        "%d times\n", g, n, m.sent[g], limit, m.good[g], m.status[g],
                        m.failed_rank[g], m.events[g]);
    }
}

bool wait_for_end(int most)
{
    const uint64_t start = now;
    bool done;
    do {
        cycles(10);
        done = ended(0) && ended(1) && ended(2) && ended(3);
    } while (!done && now - start < static_cast<uint64_t>(most));
    for (int g = 0; g < kGroups; g++)
        if (!ended(g)) print_group(g);
    return done;
}

void no_faults()
{
    for (Node &n : nodes) {
        n.m.fault = kWell;
        n.m.lazy = n.m.spoils = n.cut = false;
        n.m.quiet = 0;
    }
    fault_from = fault_group = 0;
}

// A member under way stops amid its packet only with its node, so the reset does both.
void reset()
{
    for (Node &n : nodes) n.chip->rst_ni = 0;
    cycles(5);
    for (Node &n : nodes) n.chip->rst_ni = 1;
    no_faults();
    cycles(600);
}

bool all_up()
{
    for (int n = 1; n < kNodes; n++)
        if (!(nodes[n].chip->up_o >> kParent & 1) ||
            !(nodes[parent_of(n)].chip->up_o >> (n + 1) % 2 & 1))
            return false;
    return true;
}

// ----------------------------------------------------------------------------------- tests
// All groups do `count` operations, and all succeed.
void whole(int count, int most, const char *name)
{
    const int old_wrong = all_wrong();
    set_up_all();
    limit = count;
    go = 15;
    bool ok = wait_for_end(most);
    for (int g = 0; g < kGroups; g++) {
        if (!all_good(g)) {
            if (ended(g)) print_group(g);
            ok = false;
        }
    }
    check(ok && all_wrong() == old_wrong, name);
}

long mail_sum(int Mail::*what)
{
    long sum = 0;
    for (const Node &n : nodes) sum += n.mail.*what;
    return sum;
}

// Ends the packets for ranks; returns how many were sent but have not come.
long end_mail(long *sent)
{
    mail_percent = 0;
    cycles(40000 / kHalves);
    long missing = 0;
    *sent = 0;
    for (int from = 0; from < kNodes; from++)
        for (int to = 0; to < kNodes; to++) {
            *sent += nodes[from].mail.sent[to];
            missing += nodes[from].mail.sent[to] - nodes[to].mail.came[from];
        }
    return missing + mail_sum(&Mail::lost);
}

// All ranks send to all, many to the root, while all groups operate.
void packets_for_ranks(const char *name, const char *beside)
{
    long sent;
    mail_percent = 30;
    whole(16, 200000, beside);
    mail_percent = 100;              // more than the links carry
    cycles(10000);
    const long missing = end_mail(&sent);
    std::printf("# packets for ranks: %ld, missing %ld, wrong %ld\n", sent, missing,
                mail_sum(&Mail::wrong));
    check(sent > 1000 && missing == 0 && mail_sum(&Mail::wrong) == 0, name);
}

// Group 0 (all nodes) fails, the others do not.
bool others_good()
{
    return all_good(1) && all_good(2) && all_good(3) && all_wrong() == 0;
}

void a_member_never_comes()
{
    const int who = 7 + below(24);
    set_up_all();
    limit = 12;
    nodes[who].m.quiet = 1;
    go = 15;
    const bool ok = wait_for_end(6 * kPatience * kWaitEvery + 40000);
    check(ok && all_failed(0, kTimeout, 1u << who),
          "a_member_that_never_comes_is_named_by_a_time_out");
    check(others_good(), "groups_go_on_while_another_waits");
    no_faults();
}

// The bound: the patience of the node next to the missing member, and a tick; a contribution comes
// there, and the failure to all, within 1000 cycles.
void time_outs_are_bounded()
{
    bool ok = true;
    for (int who : {30, 5, 0}) {
        set_up_all();
        limit = 1;
        nodes[who].m.quiet = 1;
        const uint64_t start = now;
        const int least = kPatience * (height(who) + (who == 30 ? 2 : 1)) * kWaitEvery;
        go = 1;
        bool done;
        do {
            cycle();
            done = ended(0);
        } while (!done && now - start < 200000);
        std::printf("# rank %d missing: failed after %" PRIu64 " cycles, patience %d\n", who,
                    now - start, least);
        ok = ok && all_failed(0, kTimeout, 1u << who) &&
             now - start > static_cast<uint64_t>(least) &&
             now - start < static_cast<uint64_t>(least + kWaitEvery + 2000);
        go = 0;
        no_faults();
    }
    check(ok, "a_time_out_comes_within_its_bound");
}

void a_link_is_cut()
{
    const int who = 1 + below(30);
    const uint32_t ends = 1u << who | 1u << parent_of(who);    // they name each other
    set_up_all();
    limit = 40;
    go = 15;
    cycles(1500);
    nodes[who].cut = true;
    bool ok = wait_for_end(80000);
    if (!all_failed(0, kLinkDown, ends)) print_group(0);
    check(ok && all_failed(0, kLinkDown, ends),
          "a_cut_link_fails_its_groups_and_names_an_end");
    ok = true;
    for (int g = 1; g < kGroups; g++)
        ok = ok && (all_good(g) || (uses_link[g][who] && all_failed(g, kLinkDown, ends)));
    check(ok && all_wrong() == 0, "groups_without_the_cut_link_go_on");
    go = 0;
    no_faults();
    cycles(20000);
    check(all_up(), "a_link_comes_back");
    whole(10, 200000, "groups_set_up_again_after_a_cut_succeed");
}

// A member of group 0 is wrong in one way. If it alone knows (`alone`), the others time out.
void a_member_is_wrong(Fault how, Status status, bool alone, const char *name)
{
    const int who = below(kNodes);
    set_up_all();
    limit = 12;
    nodes[who].m.fault = how;
    fault_group = 0;
    fault_from = below(6);
    if (how == kNoRoom) {                // someone must come late
        nodes[who == 0 ? 1 : parent_of(who)].m.quiet = 1;
        fault_from = 0;
    }
    go = 15;
    bool ok = wait_for_end(6 * kPatience * kWaitEvery + 60000);
    const Member &m = nodes[who].m;
    ok = ok && (alone ? m.status[0] == status && m.failed_rank[0] == who :
                        all_failed(0, status, (1u << kNodes) - 1));
    std::printf("# rank %d wrong from operation %d on: status %d of rank %d\n", who, fault_from,
                m.status[0], m.failed_rank[0]);
    if (!ok) print_group(0);
    check(ok && others_good(), name);
    no_faults();
}

void beats_are_damaged()
{
    const int who = below(kNodes);
    set_up_all();
    limit = 60;
    go = 15;
    cycles(500);
    nodes[who].m.spoils = true;
    const bool ok = wait_for_end(200000);
    if (!all_failed(0, kDamaged, (1u << kNodes) - 1)) print_group(0);
    check(ok && all_failed(0, kDamaged, (1u << kNodes) - 1) && all_wrong() == 0,
          "a_parity_error_fails_the_group_and_delivers_nothing");
    no_faults();
}

// The root has not been set up for the epoch in which the others contribute.
void a_parent_does_not_know()
{
    set_up_all();
    limit = 3;
    const bool old_on = nodes[0].on[0];
    epochs[0]++;
    for (Node &n : nodes) n.m.sent[0] = n.m.good[0] = 0;
    nodes[0].on[0] = false;
    setting_up = 0;
    cycle();
    setting_up = -1;
    nodes[0].m.quiet = 1;
    members[0] &= ~1u;
    go = 15;
    const bool ok = wait_for_end(20000);
    if (!all_failed(0, kNoGroup, 1)) print_group(0);
    check(ok && all_failed(0, kNoGroup, 1) && others_good(),
          "a_group_that_the_parent_does_not_know_ends_with_its_status");
    nodes[0].on[0] = old_on;
    no_faults();
}

// --------------------------------------------------------------------------------- figures
// Runs `count` operations of `bytes` of all nodes, alone and unhindered: cycles, or 0.
uint64_t measure(int bytes, int count)
{
    bubble = slow = 0;
    go = 0;
    quiesce();
    fixed_bytes = bytes;
    set_up(0, (1u << kNodes) - 1);
    for (int g = 1; g < kGroups; g++) set_up(g, 0);
    limit = count;
    cycles(50 + below(64));
    const uint64_t start = now;
    go = 1;
    bool done;
    do {
        cycle();
        done = ended(0);
    } while (!done && now - start < 100000);
    go = 0;
    fixed_bytes = -1;
    bubble = slow = 20;
    return all_good(0) ? now - start : 0;
}

void latency_of(int bytes, uint64_t most, const char *name)
{
    uint64_t worst = 0, best = 100000;
    bool ok = true;
    for (int k = 0; k < 6; k++) {
        const uint64_t took = measure(bytes, 1);
        ok = ok && took != 0;
        if (took > worst) worst = took;
        if (took < best) best = took;
    }
    std::printf("# %d bytes, 31 nodes: %" PRIu64 " to %" PRIu64 " cycles from the first "
                "contribution to the last result\n", bytes, best, worst);
    check(ok && worst <= most, name);
}

void rate()
{
    const uint64_t took = measure(512, 128);
    const uint64_t share = took ? 8192 * (64 / kLinkBits) * 100 / took : 0;
    std::printf("# 64 KiB, 31 nodes: %" PRIu64 " cycles, %" PRIu64 " %% of a link's rate\n", took,
                share);
    check(share >= 70, "64_KiB_run_at_seven_tenths_of_a_link");
}

void figures()
{
    latency_of(8, 400, "8_bytes_are_reduced_in_time");
    latency_of(0, 400, "a_barrier_is_done_in_time");
    rate();
}

// ----------------------------------------------------------------------------------- chaos
// One round: random groups and members, and one kind of fault. Tells whether all ended as it must.
bool random_round(int k, int *well)
{
    bubble = below(60);
    slow = below(60);
    for (Node &n : nodes) n.m.lazy = below(10) == 0;
    set_up_all();
    limit = 4 + below(16);
    const int kind = below(8), at = below(kNodes), of = below(kGroups);
    fault_group = of;
    fault_from = below(10);
    noise = below(3) == 0 ? below(400) : 0;
    if (kind == 0) nodes[at].m.quiet = 1u << of;
    if (kind == 1 || kind == 2) nodes[at].m.fault = static_cast<Fault>(1 + below(kFaults - 1));
    go = 15;
    cycles(below(3000));
    if ((kind == 3 || kind == 4) && at > 0) nodes[at].cut = true;
    if (kind == 4) {                        // a short cut
        cycles(below(3000));
        nodes[at].cut = false;
    }
    if (kind == 5) nodes[at].m.spoils = true;
    if (kind == 6) {                        // a member that pauses
        nodes[at].m.quiet = 15;
        cycles(below(4000));
        nodes[at].m.quiet = 0;
    }
    bool ok = wait_for_end(600000);
    for (int g = 0; g < kGroups; g++) {
        *well += all_good(g);
        // Damage alone and pauses are no fault.
        if (kind >= 6 && !all_good(g)) {
            print_group(g);
            ok = false;
        }
    }
    ok = ok && all_wrong() == 0;
    if (!ok) std::printf("# round %d: kind %d at rank %d, noise %d\n", k, kind, at, noise);
    const bool was_cut = kind == 3 || kind == 4;
    go = 0;
    noise = 0;
    no_faults();
    if (was_cut) cycles(20000);
    return ok;
}

void random_rounds(int rounds)
{
    int well = 0;
    bool ok = true;
    for (int k = 0; k < rounds && ok; k++) ok = random_round(k, &well);
    std::printf("# %d rounds, %d of %d groups ended well, %d damaged beats, %d packets refused\n",
                rounds, well, kGroups * rounds, damaged, errors);
    check(ok, "every_operation_ends_with_its_result_or_a_status_whatever_happens");
}

int argument(int argc, char **argv, const char *name, int value)
{
    for (int i = 1; i < argc; i++)
        if (std::strncmp(argv[i], name, std::strlen(name)) == 0)
            value = std::atoi(argv[i] + std::strlen(name));
    return value;
}

} // namespace

double sc_time_stamp() { return static_cast<double>(now); }

int main(int argc, char **argv)
{
    const int seed = argument(argc, argv, "+seed=", 1);
    const int rounds = argument(argc, argv, "+rounds=", 10);
    chance_state = static_cast<uint64_t>(seed);
    std::printf("# seed %d\n", seed);
    reset();
    check(all_up(), "links_come_up");
    if (argument(argc, argv, "+figures=", 0)) {
        figures();
        std::printf("1..%d\n", tests);
        return failures != 0;
    }
    whole(24, 60000, "results_are_right_for_every_operation_and_width");
    bubble = slow = 0;
    whole(24, 60000, "results_are_right_at_full_speed");
    bubble = 20;
    slow = 60;
    for (int n = 2; n < kNodes; n += 5) nodes[n].m.lazy = true;
    whole(8, 100000, "slow_members_delay_and_lose_nothing");
    no_faults();
    slow = 20;
    noise = 300;
    whole(16, 100000, "damaged_wires_lose_nothing");
    check(errors > 20, "damage_is_counted");
    packets_for_ranks("packets_for_ranks_arrive_over_damaged_wires",
                      "groups_beside_packets_for_ranks_over_damaged_wires");
    noise = 0;
    packets_for_ranks("packets_for_ranks_arrive_once_and_in_order",
                      "groups_beside_packets_for_ranks");
    a_member_never_comes();
    time_outs_are_bounded();
    a_link_is_cut();
    a_member_is_wrong(kOtherOp, kMismatch, false, "another_operation_is_named");
    a_member_is_wrong(kOtherLength, kMismatch, false, "another_length_is_named");
    a_member_is_wrong(kOtherNumber, kMismatch, false, "operations_in_another_order_are_named");
    a_member_is_wrong(kOtherType, kMalformed, false, "a_packet_that_is_no_contribution_is_named");
    a_member_is_wrong(kOddLength, kMalformed, false, "a_length_that_is_no_multiple_is_named");
    a_member_is_wrong(kNoSuchOp, kMalformed, false, "an_operation_that_the_ALU_lacks_is_named");
    a_member_is_wrong(kNoRoom, kOverrun, false, "a_contribution_without_room_is_named");
    a_member_is_wrong(kOtherGroup, kNoGroup, true, "an_unknown_group_is_refused");
    a_member_is_wrong(kOldEpoch, kNoGroup, true, "an_old_epoch_is_refused");
    a_parent_does_not_know();
    beats_are_damaged();
    figures();
    mail_percent = 5;
    random_rounds(rounds);
    long sent;
    end_mail(&sent);
    check(mail_sum(&Mail::wrong) == 0, "no_packet_for_a_rank_was_ever_wrong");
    check(all_wrong() == 0, "no_result_was_ever_wrong");
    check(strange == 0, "no_link_goes_down_but_by_a_cut");
    std::printf("# %d link ends went down, %d without a cut; %" PRIu64 " cycles\n", falls, strange,
                now);
    std::printf("1..%d\n", tests);
    return failures != 0;
}
