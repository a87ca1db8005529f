/* SPDX-License-Identifier: Apache-2.0 */
/* One node: assembles and clocks chip, host port and NIC. */
#include "node.h"


static enum tern_dma_result host_transfer(void *ctx, struct tern_dma_op *op)
{
    return tern_nic_transfer(((struct tern_node *)ctx)->nic, op);
}

static unsigned host_transfer_all(void *ctx, struct tern_dma_op *const *ops, unsigned count,
                                  uint32_t *faults)
{
    return tern_nic_transfer_all(((struct tern_node *)ctx)->nic, ops, count, faults);
}

static void host_forget(void *ctx, struct tern_dma_op *op)
{
    tern_nic_forget(((struct tern_node *)ctx)->nic, op);
}

static void host_interrupt(void *ctx, unsigned function, unsigned vector)
{
    tern_nic_interrupt(((struct tern_node *)ctx)->nic, function, vector);
}

static void host_bar_answer(void *ctx, uint64_t cookie, uint64_t data)
{
    tern_nic_read_done(((struct tern_node *)ctx)->nic, cookie, data);
}

static size_t bar_room(void *ctx)
{
    return tern_hostport_bar_room(&((struct tern_node *)ctx)->port);
}

static void bar_push(void *ctx, const struct tern_bar_access *access)
{
    struct tern_node *node = ctx;

    tern_hostport_bar_push(&node->port, access, node->cycle);
}

static size_t soft_room(void *ctx)
{
    return soft_bar_room(((struct tern_node *)ctx)->soft);
}

static void soft_push(void *ctx, const struct tern_bar_access *access)
{
    soft_bar_push(((struct tern_node *)ctx)->soft, access);
}

static struct tern_host host_of(struct tern_node *node)
{
    return (struct tern_host){.ctx = node,
                              .transfer = host_transfer,
                              .transfer_all = host_transfer_all,
                              .interrupt = host_interrupt,
                              .bar_answer = host_bar_answer,
                              .forget = host_forget};
}

/* `life` is the number stored in its flash. */
static bool make_soft(struct tern_node *node, uint8_t life)
{
    const struct tern_node_config *config = &node->config;
    struct soft_config soft = {.number = config->number,
                               .coordinates = config->coordinates,
                               .dims = config->dims,
                               .ports = config->ports,
                               .tree = config->tree,
                               .timing = config->timing,
                               .flash = config->flash,
                               .flash_words = config->flash_words,
                               .life = life,
                               .host = host_of(node)};

    node->soft = soft_node_new(&soft);
    return node->soft != NULL;
}

static bool make_parts(struct tern_node *node)
{
    struct tern_host host = host_of(node);
    struct tern_nic_config nic = {.bar = {.ctx = node, .room = bar_room, .push = bar_push},
                                  .functions = node->config.tier == TERN_TIER_SOFT
                                                   ? TERN_MODEL_FUNCTIONS
                                                   : node->config.shape->functions,
                                  .reset_limit = node->config.reset_limit,
                                  .dma_limit = node->config.dma_limit};

    if (node->config.tier == TERN_TIER_SOFT) {
        nic.bar.room = soft_room;
        nic.bar.push = soft_push;
    }
    node->nic = tern_nic_new(&nic);
    if (node->config.tier == TERN_TIER_SOFT)
        return node->nic != NULL && make_soft(node, 0);
    node->model = tern_model_new(node->config.shape);
    return tern_hostport_init(&node->port, &host, &node->config.timing,
                              node->config.shape->beat_bytes) &&
           node->nic != NULL && node->model != NULL;
}

bool tern_node_init(struct tern_node *node, const struct tern_node_config *config)
{
    *node = (struct tern_node){.config = *config};
    if (!make_parts(node)) {
        tern_node_fini(node);
        return false;
    }
    node->port.flash = config->flash;
    node->port.flash_words = config->flash_words;
    node->power_on = TERN_POWER_ON_CYCLES;
    tern_rest_init(&node->rest, config->every_clock);
    node->in.strap_node = config->coordinates;
    node->in.strap_dims = config->dims;
    node->in.strap_host_latency = (uint16_t)config->timing.host_latency;
    return true;
}

void tern_node_fini(struct tern_node *node)
{
    tern_nic_free(node->nic);
    tern_model_free(node->model);
    soft_node_free(node->soft);
    node->soft = NULL;
    tern_hostport_fini(&node->port);
    tern_rest_fini(&node->rest);
    node->nic = NULL;
    node->model = NULL;
}

/* ---- power ---- */

static bool power_off_soft(struct tern_node *node, struct tern_net *net)
{
    struct soft_node *before = node->soft;

    if (!make_soft(node, soft_node_life(before))) {
        node->soft = before;
        return false;
    }
    soft_node_power_off(before);
    soft_node_free(before);
    for (unsigned p = 0; p < node->config.ports; p++)
        tern_net_say(net, node->config.number, p, false);
    if (tern_net_tree(net) != NULL)
        for (unsigned t = 0; t < TERN_MODEL_TREE; t++)
            tern_net_say(tern_net_tree(net), node->config.number, t, false);
    return true;
}

static bool power_off_rtl(struct tern_node *node)
{
    struct tern_model *model = tern_model_new(node->config.shape);

    if (model == NULL)
        return false;
    tern_node_rouse(node);
    tern_hostport_power_off(&node->port);
    tern_model_free(node->model);
    node->model = model;
    node->out[0] = node->out[1] = (struct tern_model_out){0};
    node->in.strap_life = node->port.life;
    node->rest.quiet = node->cycle;
    return true;
}

bool tern_node_power_cycle(struct tern_node *node, struct tern_net *net, uint64_t cycles)
{
    bool off = node->config.tier == TERN_TIER_SOFT ? power_off_soft(node, net)
                                                   : power_off_rtl(node);

    if (off)
        node->power_on = node->cycle + cycles;
    return off;
}

static unsigned trace_id(const struct tern_model_out *out, unsigned lane)
{
    return out->tr_id[lane / 2] >> (16 * (lane % 2)) & 0xffff;
}

static void note_trace(struct tern_node *node, const struct tern_model_out *out)
{
    if (node->config.trace.event == NULL)
        return;
    for (uint32_t lanes = out->tr_valid; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);

        node->event[node->events++] =
            (struct tern_node_event){.cycle = node->cycle,
                                     .lane = (uint16_t)lane,
                                     .id = (uint16_t)trace_id(out, lane)};
    }
}

void tern_node_tell(struct tern_node *node)
{
    const struct tern_trace_sink *sink = &node->config.trace;

    for (unsigned e = 0; e < node->events; e++)
        sink->event(sink->ctx, node->config.number, node->event[e].cycle, node->event[e].lane,
                    node->event[e].id);
    node->events = 0;
}

static void tell_retired(struct tern_node *node, uint32_t pc)
{
    const struct tern_retire_sink *sink = &node->config.retired;

    node->retired++;
    if (sink->retire != NULL)
        sink->retire(sink->ctx, node->cycle, pc);
}

/* ---- idle nodes ---- */

void tern_node_rouse(struct tern_node *node)
{
    if (node->rest.state == TERN_REST_RESTS)
        tern_rest_end(&node->rest, node->model, node->cycle, &node->in, &node->out[node->last]);
}

/* Returns the number of links: of the torus, then of the tree network. */
static unsigned wires_of(const struct tern_node *node)
{
    return node->config.ports + node->config.shape->tree;
}

/* Gets the beats that reach the node in this cycle. */
static void take_beats(struct tern_node *node, struct tern_net *net, struct tern_model_beat *beat)
{
    unsigned ports = node->config.ports;

    for (unsigned p = 0; p < ports; p++)
        tern_net_take(net, node->config.number, p, node->cycle, &beat[p]);
    for (unsigned t = 0; t < node->config.shape->tree; t++)
        tern_net_take(tern_net_tree(net), node->config.number, t, node->cycle, &beat[ports + t]);
}

/* Sends the beats of this cycle. */
static void put_beats(struct tern_node *node, struct tern_net *net,
                      const struct tern_model_beat *beat)
{
    unsigned ports = node->config.ports;

    for (unsigned p = 0; p < ports; p++)
        tern_net_put(net, node->config.number, p, node->cycle, &beat[p]);
    for (unsigned t = 0; t < node->config.shape->tree; t++)
        tern_net_put(tern_net_tree(net), node->config.number, t, node->cycle, &beat[ports + t]);
}

/* Tells whether a wire carries a beat of a packet. */
static bool has_packets(const struct tern_model_beat *beat, unsigned ports)
{
    bool any = false;

    for (unsigned p = 0; p < ports; p++)
        any |= beat[p].valid && beat[p].kind != TERN_LINK_KIND_CTL;
    return any;
}

/* Tells whether the node did more than count time and keep its links up. */
static bool is_busy(const struct tern_node *node, const struct tern_model_out *out)
{
    const struct tern_model_in *in = &node->in;

    return out->retire_valid || out->tr_valid != 0 || out->hrq_valid || out->hwr_valid ||
           out->bar_rvalid || out->fl_req || in->hrd_valid || in->hwb_valid || in->bar_valid ||
           in->fl_valid || !in->rst_n || node->probe.used || !tern_hostport_is_idle(&node->port) ||
           has_packets(in->lrx, wires_of(node)) || has_packets(out->ltx, wires_of(node));
}

/* Passes a cycle at rest and sends its beats; false when the node must be clocked. */
static bool pass(struct tern_node *node, struct tern_net *net)
{
    struct tern_model_beat out[TERN_MODEL_WIRES] = {0};

    if (node->probe.used || !tern_hostport_is_idle(&node->port) ||
        !tern_rest_pass(&node->rest, node->cycle, wires_of(node), node->in.lrx, out))
        return false;
    put_beats(node, net, out);
    node->cycle++;
    return true;
}

static void clock_once(struct tern_node *node, struct tern_net *net)
{
    const struct tern_model_out *before = &node->out[node->last];
    struct tern_model_out *after = &node->out[node->last ^ 1];

    node->in.rst_n = node->cycle >= node->power_on;
    take_beats(node, net, node->in.lrx);
    if (node->rest.state == TERN_REST_RESTS) {
        if (pass(node, net))
            return;
        tern_node_rouse(node);
    }
    tern_hostport_drive(&node->port, &node->in, node->cycle);
    if (node->probe.used)
        tern_probe_drive(&node->probe, &node->in);
    tern_model_step(node->model, &node->in, after);
    tern_hostport_sample(&node->port, &node->in, before, after, node->cycle);
    if (node->probe.used)
        tern_probe_sample(&node->probe, after);
    put_beats(node, net, after->ltx);
    if (after->tr_valid != 0)
        note_trace(node, after);
    if (after->retire_valid)
        tell_retired(node, after->retire_pc);
    if (!node->rest.never)
        tern_rest_look(&node->rest, node->model, node->cycle, is_busy(node, after),
                       wires_of(node), &node->in, after);
    node->last ^= 1;
    node->cycle++;
}

/* Clocks the stand-in at the node's wires; the NIC itself gets no clock meanwhile. */
static void clock_stand_in(struct tern_node *node, struct tern_net *net)
{
    struct tern_model_beat in[TERN_MODEL_PORTS] = {0}, out[TERN_MODEL_PORTS] = {0};
    unsigned number = node->config.number, ports = node->config.ports;

    for (unsigned p = 0; p < ports; p++)
        tern_net_take(net, number, p, node->cycle, &in[p]);
    node->stand_in.clock(node->stand_in.ctx, node->cycle, in, out);
    for (unsigned p = 0; p < ports; p++)
        tern_net_put(net, number, p, node->cycle, &out[p]);
    node->cycle++;
}

void tern_node_run(struct tern_node *node, struct tern_net *net, unsigned cycles)
{
    while (cycles-- > 0)
        if (node->stand_in.clock != NULL)
            clock_stand_in(node, net);
        else
            clock_once(node, net);
}

unsigned tern_node_turn(struct tern_node *node, struct tern_net *net, uint64_t cycle)
{
    unsigned cost = 0;


    if (node->elsewhere)
        return 0;
    if (node->stand_in.turn != NULL)
        cost = node->stand_in.turn(node->stand_in.ctx, net, cycle);
    else if (cycle >= node->power_on)
        cost = soft_node_turn(node->soft, net, cycle);
    node->cycle = cycle;
    if (cost > 0)
        node->port.active = cycle;
    return cost;
}

uint64_t tern_node_timer(const struct tern_node *node)
{
    if (node->elsewhere || node->stand_in.turn != NULL)
        return UINT64_MAX;
    return node->cycle < node->power_on ? node->power_on : soft_node_timer(node->soft);
}
