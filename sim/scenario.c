/* SPDX-License-Identifier: Apache-2.0 */
/* Parses scenarios and applies them. */
#include "scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

enum verb {
    VERB_CUT,
    VERB_RESTORE,
    VERB_KILL,
    VERB_REVIVE,
    VERB_FAULT,
    VERB_STALL,
    VERB_NOISE,
    VERB_INJECT
};

struct step {
    struct step *next;
    uint64_t cycle;
    enum verb verb;
    unsigned node, port;
    struct tern_fault fault;
    unsigned cycles;
    size_t bytes;
    uint8_t packet[TERN_WIRE_PACKET_MAX];
};

struct tern_scenario {
    struct step *steps; /* by cycle, then in file order */
};

/* ---- words of a line ---- */

static bool to_number(const char *word, uint64_t max, uint64_t *out)
{
    char *end;

    if (!isdigit((unsigned char)word[0]))
        return false;
    *out = strtoull(word, &end, 0);
    return *end == 0 && *out <= max;
}

/* Parses a node's number or coordinates. */
static bool to_node(const char *word, const struct tern_torus *torus, unsigned *out)
{
    unsigned x, y, z;
    int used = 0;

    if (sscanf(word, "%u%n.%u.%u%n", &x, &used, &y, &z, &used) < 1 || word[used] != 0)
        return false;
    if (strchr(word, '.') == NULL)
        *out = x;
    else if (x >= torus->sides[0] || y >= torus->sides[1] || z >= torus->sides[2])
        return false;
    else
        *out = (z * torus->sides[1] + y) * torus->sides[0] + x;
    return *out < tern_torus_nodes(torus);
}

static bool to_seal(const char *word, unsigned *out)
{
    *out = 0;
    if (strcmp(word, "0") == 0)
        return true;
    for (; *word != 0; word++) {
        switch (*word) {
        case 'h':
            *out |= TERN_SEAL_HEADER;
            break;
        case 'e':
            *out |= TERN_SEAL_END;
            break;
        case 'l':
            *out |= TERN_SEAL_LINK;
            break;
        default:
            return false;
        }
    }
    return true;
}

static bool to_type(const char *word, int *out)
{
    uint64_t type;

    *out = TERN_ANY_TYPE;
    if (strcmp(word, "any") == 0)
        return true;
    if (!to_number(word, 0xff, &type))
        return false;
    *out = (int)type;
    return true;
}

/* Parses name=value. */
static bool option(struct step *step, char *word)
{
    char *value = strchr(word, '=');
    uint64_t number;

    if (value == NULL)
        return false;
    *value++ = 0;
    if (strcmp(word, "seal") == 0)
        return to_seal(value, &step->fault.seal);
    if (strcmp(word, "type") == 0)
        return to_type(value, &step->fault.type);
    if (!to_number(value, UINT32_MAX, &number))
        return false;
    if (strcmp(word, "skip") == 0)
        step->fault.skip = (unsigned)number;
    else if (strcmp(word, "count") == 0)
        step->fault.count = (unsigned)number;
    else if (strcmp(word, "byte") == 0 || strcmp(word, "word") == 0 || strcmp(word, "by") == 0)
        step->fault.at = (unsigned)number;
    else if (strcmp(word, "mask") == 0)
        step->fault.mask = (uint32_t)number;
    else if (strcmp(word, "value") == 0)
        step->fault.value = (uint32_t)number;
    else if (strcmp(word, "every") == 0)
        step->fault.every = (unsigned)number;
    else if (strcmp(word, "cycles") == 0)
        step->cycles = (unsigned)number;
    else
        return false;
    return true;
}

static bool hex_bytes(struct step *step, const char *word)
{
    for (; word[0] != 0; word += 2) {
        char pair[3] = {word[0], word[1], 0};
        char *end;

        if (step->bytes == sizeof step->packet)
            return false;
        step->packet[step->bytes++] = (uint8_t)strtoul(pair, &end, 16);
        if (end != pair + 2)
            return false;
    }
    return true;
}

static bool verb_of(struct step *step, const char *word)
{
    static const struct {
        const char *name;
        enum verb verb;
        enum tern_fault_kind kind;
    } verbs[] = {
        {"cut", VERB_CUT, 0},
        {"restore", VERB_RESTORE, 0},
        {"kill", VERB_KILL, 0},
        {"revive", VERB_REVIVE, 0},
        {"drop", VERB_FAULT, TERN_FAULT_DROP},
        {"flip", VERB_FAULT, TERN_FAULT_FLIP},
        {"set", VERB_FAULT, TERN_FAULT_SET},
        {"duplicate", VERB_FAULT, TERN_FAULT_DUPLICATE},
        {"delay", VERB_FAULT, TERN_FAULT_DELAY},
        {"stall", VERB_STALL, 0},
        {"noise", VERB_NOISE, 0},
        {"inject", VERB_INJECT, 0},
    };

    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(word, verbs[i].name) == 0) {
            step->verb = verbs[i].verb;
            step->fault.kind = verbs[i].kind;
            return true;
        }
    }
    return false;
}

/* ---- lines ---- */

/* Parses the port, for verbs that need one. */
static const char *read_port(struct step *step, char **rest, const struct tern_torus *torus)
{
    const char *word;

    if (step->verb == VERB_KILL || step->verb == VERB_REVIVE)
        return NULL;
    word = strtok_r(NULL, " \t\r", rest);
    step->port = word != NULL ? tern_port_of(word) : TERN_TORUS_PORTS_MAX;
    if (step->port == TERN_TORUS_PORTS_MAX)
        return "the port must be X+, X-, Y+, Y-, Z+ or Z-";
    if (tern_torus_neighbour(torus, step->node, step->port) == TERN_TORUS_NONE)
        return "there is no link at that port";
    return NULL;
}

static const char *read_head(struct step *step, char **rest, const struct tern_torus *torus)
{
    const char *word = strtok_r(NULL, " \t\r", rest);

    if (word == NULL || !to_number(word, UINT64_MAX, &step->cycle))
        return "a cycle is missing after `at`";
    word = strtok_r(NULL, " \t\r", rest);
    if (word == NULL || !verb_of(step, word))
        return "unknown or missing action";
    word = strtok_r(NULL, " \t\r", rest);
    if (word == NULL || !to_node(word, torus, &step->node))
        return "no such node";
    return read_port(step, rest, torus);
}

/* Checks the options of a step; returns the fault, or NULL. */
static const char *judge(const struct step *step)
{
    unsigned at = step->fault.at;

    if (step->verb == VERB_INJECT && (step->bytes < 40 || step->bytes % 8 != 0))
        return "a packet is 40 bytes at least, and a multiple of 8";
    if (step->verb == VERB_STALL && (step->cycles < 1 || step->cycles > TERN_STALL_MAX))
        return "a stall takes 1 to 2048 cycles";
    if (step->verb == VERB_FAULT && step->fault.kind == TERN_FAULT_DELAY &&
        (at < 1 || at > TERN_DELAY_MAX))
        return "a delay is by 1 to 32 packets";
    return NULL;
}

/* Reads a step from a line with words; returns what is wrong with it, or NULL. */
static const char *read_step(struct step *step, char *line, const struct tern_torus *torus)
{
    char *rest;
    char *word = strtok_r(line, " \t\r", &rest);
    const char *problem;

    step->fault.type = TERN_ANY_TYPE;
    step->fault.count = 1;
    if (strcmp(word, "at") != 0)
        return "a line begins with `at`";
    problem = read_head(step, &rest, torus);
    if (problem != NULL)
        return problem;
    while ((word = strtok_r(NULL, " \t\r", &rest)) != NULL) {
        bool good = strchr(word, '=') != NULL ? option(step, word)
                                              : step->verb == VERB_INJECT &&
                                                    hex_bytes(step, word);

        if (!good)
            return "an option is not understood";
    }
    return judge(step);
}

static void add_step(struct tern_scenario *scenario, struct step *step)
{
    struct step **link = &scenario->steps;

    while (*link != NULL && (*link)->cycle <= step->cycle)
        link = &(*link)->next;
    step->next = *link;
    *link = step;
}

static const char *read_line(struct tern_scenario *scenario, char *line,
                             const struct tern_torus *torus)
{
    struct step *step;
    const char *problem;

    line[strcspn(line, "#")] = 0;
    if (line[strspn(line, " \t\r")] == 0)
        return NULL;
    step = calloc(1, sizeof *step);
    if (step == NULL)
        return "out of memory";
    problem = read_step(step, line, torus);
    if (problem != NULL)
        free(step);
    else
        add_step(scenario, step);
    return problem;
}

static const char *read_lines(struct tern_scenario *scenario, char *text,
                              const struct tern_torus *torus, unsigned *number)
{
    char *line = text;

    while (line != NULL) {
        char *next = strchr(line, '\n');
        const char *problem;

        if (next != NULL)
            *next++ = 0;
        ++*number;
        problem = read_line(scenario, line, torus);
        if (problem != NULL)
            return problem;
        line = next;
    }
    return NULL;
}

struct tern_scenario *tern_scenario_new(const char *text, const struct tern_torus *torus,
                                        char *error, size_t error_bytes)
{
    struct tern_scenario *scenario = calloc(1, sizeof *scenario);
    char *copy = strdup(text != NULL ? text : "");
    unsigned line = 0;
    const char *problem = "out of memory";

    if (scenario != NULL && copy != NULL)
        problem = read_lines(scenario, copy, torus, &line);
    free(copy);
    if (problem == NULL)
        return scenario;
    snprintf(error, error_bytes, "scenario, line %u: %s", line, problem);
    tern_scenario_free(scenario);
    return NULL;
}

void tern_scenario_free(struct tern_scenario *scenario)
{
    if (scenario == NULL)
        return;
    while (scenario->steps != NULL) {
        struct step *step = scenario->steps;

        scenario->steps = step->next;
        free(step);
    }
    free(scenario);
}

static void play(struct step *step, struct tern_net *net, uint64_t cycle)
{
    switch (step->verb) {
    case VERB_CUT:
    case VERB_RESTORE:
        tern_net_cut(net, step->node, step->port, step->verb == VERB_CUT);
        break;
    case VERB_KILL:
    case VERB_REVIVE:
        tern_net_kill(net, step->node, step->verb == VERB_KILL);
        break;
    case VERB_STALL:
        tern_net_stall(net, step->node, step->port, cycle + step->cycles);
        break;
    case VERB_FAULT:
        tern_net_fault(net, step->node, step->port, &step->fault);
        break;
    case VERB_NOISE:
        tern_net_noise(net, step->node, step->port, step->fault.every);
        break;
    case VERB_INJECT:
        tern_wire_seal(step->packet, step->bytes, step->fault.seal);
        tern_net_inject(net, step->node, step->port, step->packet, step->bytes);
        break;
    }
}

void tern_scenario_apply(struct tern_scenario *scenario, struct tern_net *net, uint64_t cycle)
{
    while (scenario->steps != NULL && scenario->steps->cycle <= cycle) {
        struct step *step = scenario->steps;

        scenario->steps = step->next;
        play(step, net, cycle);
        free(step);
    }
}
