/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of tasks that workers on many nodes run together, each task with one effect.
 *
 * A program builds a graph, or reads it from a file, and publishes it. Its nodes become records of
 * a cache (tern/cache.h); a record has the tasks of the node and all its constraints, so a worker
 * that has the record can run it. State words, join words and ready words of the nodes are in
 * pools, the homes of the run; workers change them by atomic operations of their NICs. No host
 * schedules.
 *
 * A node is a sequence of tasks. An edge is a constraint between two nodes: order, data or
 * condition. Two more constraints belong to one node: units of a resource, and a time.
 *
 * Each node has a word {life, state, step, attempt, holder}. A worker claims a node, and commits
 * each of its tasks, by one compare-and-swap of that word; the commit of the last task ends the
 * node. Outputs are records that have the attempt in their key, so the commit publishes the output
 * of its own attempt and of no other. A task may be run more than once, when workers die; it is
 * committed once. A worker that died or was paused loses its key; the server of the home makes its
 * nodes ready again, and other workers run them from the last committed task on.
 *
 * Joins are words with a bit for each predecessor. The worker that sets the last bit pushes the
 * node: it sets the node's bit in a ready word of its home. A join of many predecessors may be a
 * check-in area of the home's NIC, which pushes the node itself, by a chain that waits there. The
 * end of a node with successors at more than four homes is one broadcast to all homes, whose hosts
 * set the bits. An idle worker takes half the bits of a ready word by one compare-and-swap, from
 * the nearest home that has some.
 *
 * Errors, units: as tern.h says. A graph that failed: BAD_STATE. Threads: a run belongs to one
 * thread, with its members and its cache. Functions wait, unless they say otherwise.
 *
 * Sources: US2015067088 (a DAG run from a cache); stealing of half after Hendler and Shavit (PODC
 * 2002).
 */
#ifndef TERN_DAG_H
#define TERN_DAG_H

#include <tern/cache.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs ------------------------------------------------------------------------------------
 */

struct tern_dag;

#define TERN_DAG_NAME 128u       /* bytes of the name of a node or function, with its NUL */
#define TERN_DAG_TASKS_MAX 200u  /* of a node */
#define TERN_DAG_UNITS_MAX 56u   /* of a resource */
#define TERN_DAG_RESOURCES_MAX 16u

/* A task: a function by name, or a command of the shell. */
struct tern_dag_task {
    const char *function; /* NULL: `command` */
    const char *command;
    const void *arg; /* of the function, copied */
    uint32_t arg_bytes;
    uint32_t limit_ms; /* of a command; 0: none */
    uint32_t tries;    /* of a command, one after the other; 0: 1 */
};

int tern_dag_new(struct tern_dag **dag);
void tern_dag_free(struct tern_dag *dag);

/*
 * Adds a node with `count` tasks, which are copied; 0: it only joins. Returns its number in `node`.
 * BAD_ARGUMENT; BAD_LENGTH of a name; BAD_SIZE: too many tasks; DUP_MEMBER: the name is taken.
 */
int tern_dag_node(struct tern_dag *dag, const char *name, const struct tern_dag_task *tasks,
                  unsigned count, uint32_t *node);

enum tern_constraint {
    TERN_AFTER, /* runs after the other, also after one that was skipped */
    TERN_DATA,  /* needs its output; is skipped with it */
    TERN_IF,    /* runs if its output is `what`, else it is skipped */
};

/*
 * Adds a constraint. `what` of TERN_DATA names the input, NULL: as the node; TERN_AFTER needs none.
 * BAD_RANGE: there is no such node.
 */
int tern_dag_edge(struct tern_dag *dag, uint32_t from, uint32_t to, enum tern_constraint kind,
                  const char *what);

/* Names a resource of 1 to TERN_DAG_UNITS_MAX units.  DUP_MEMBER, BAD_RANGE, NO_RESOURCE. */
int tern_dag_resource(struct tern_dag *dag, const char *name, unsigned units);
/* The node runs while it has so many units of the resource.  NOT_FOUND, BAD_RANGE. */
int tern_dag_needs(struct tern_dag *dag, uint32_t node, const char *resource, unsigned units);
/* Limits all commands that have no limit, or tries, of their own; 0 changes nothing. */
int tern_dag_limit(struct tern_dag *dag, uint32_t limit_ms, uint32_t tries);
/* The node runs no sooner than so long after the graph was published. */
int tern_dag_not_before(struct tern_dag *dag, uint32_t node, uint32_t ms);

/*
 * Adds all nodes of a file: WfFormat (JSON, 1.3 to 1.6) or a make-like file, by its contents. `why`
 * gets the line and the name concerned. SYSTEM: see errno; PROTOCOL: it is malformed; NOT_FOUND: a
 * parent is unknown; DUP_MEMBER; as tern_dag_node().
 */
int tern_dag_load(struct tern_dag *dag, const char *path, char *why, size_t bytes);

/*
 * Checks the graph. TOO_FAR: there is a cycle, and `why` names its nodes; NOT_FOUND: a task's
 * function is none of the `count` functions (NULL: not checked).
 */
struct tern_function;
int tern_dag_check(const struct tern_dag *dag, const struct tern_function *functions,
                   unsigned count, char *why, size_t bytes);

uint32_t tern_dag_nodes(const struct tern_dag *dag);
uint64_t tern_dag_edges(const struct tern_dag *dag);
const char *tern_dag_name(const struct tern_dag *dag, uint32_t node);
/* Returns the number of a node by its name; UINT32_MAX: there is none. */
uint32_t tern_dag_find(const struct tern_dag *dag, const char *name);

/* Writes the graph for graphviz: all nodes, or sums of each level above 2000.  SYSTEM. */
int tern_dag_draw(const struct tern_dag *dag, const char *path);

/* ---- homes -------------------------------------------------------------------------------------
 */

struct tern_dag_home {
    uint32_t nodes; /* at most, of each run, at this home */
    uint32_t joins; /* words; 0: nodes and a quarter */
    /*
     * Joins, of each run, that the NIC of the home does without any host, by check-in areas of
     * the NIC (tern/checkin.h): those with most predecessors. Up to TERN_CHECKIN_AREAS; 0: none.
     */
    uint32_t areas;
    uint32_t area_ins;    /* they have at least so many predecessors; 0: 57, more than a word */
    uint32_t area_cycles; /* after which the server's sweep does such a join; 0: the most */
    /*
     * Edges that end at this home, of each run, of nodes that broadcast their ends: those with
     * successors at more than four homes. 0: as `nodes`. The server of the home does these joins.
     */
    uint32_t fan_outs;
};

/*
 * Makes the words of a home in the pool, at its server; the pool's service sweeps them. After
 * tern_pool_adopt(), call it again. BAD_ARGUMENT, BAD_SIZE; as tern_pool_make().
 */
int tern_dag_make(struct tern_pool *pool, const char *name, const struct tern_dag_home *home);

/* ---- runs --------------------------------------------------------------------------------------
 */

struct tern_run;

/*
 * Publishes a graph at the homes `name` of all pools of `members`, with its records in `cache`.
 * QUEUE_BUSY: a run is going on there; NO_RESOURCE: the homes have too few words; as
 * tern_cache_set().
 */
int tern_dag_publish(const struct tern_dag *dag, struct tern_member *const *members,
                     unsigned count, struct tern_cache *cache, const char *name,
                     struct tern_run **run);

/*
 * Joins the run that goes on there, or the last one if that has ended; waits for the first one up
 * to `timeout_ms`. NOT_FOUND: there is none.
 */
int tern_dag_join(struct tern_member *const *members, unsigned count, struct tern_cache *cache,
                  const char *name, int timeout_ms, struct tern_run **run);

/* Frees the handle; the run goes on.  NULL is fine. */
void tern_dag_leave(struct tern_run *run);

/* Deletes the records of a run that has ended; returns how many. BAD_STATE: it goes on. */
int tern_dag_forget(struct tern_run *run);

struct tern_attempt;

/* A function by name; returns 0, or the node and the graph have failed. */
struct tern_function {
    const char *name;
    int (*call)(struct tern_attempt *attempt, const void *arg, uint32_t bytes);
};

/*
 * Loads functions of a shared object: its symbol `tern_functions`, an array that a NULL name ends.
 * Returns how many. NOT_FOUND: no object, or no symbol; `why` gets the reason.
 */
int tern_dag_library(const char *path, const struct tern_function **functions, char *why,
                     size_t bytes);

struct tern_dag_worker {
    const struct tern_function *functions;
    unsigned count;
    unsigned most;    /* nodes to run; 0: no limit */
    int timeout_ms;   /* -1: no limit */
    unsigned tick_ms; /* between two looks of an idle worker; 0: 5 */
    unsigned take;    /* nodes to take at once; 0: half of a word */
    /* called after each commit that took effect; may be NULL */
    void (*committed)(void *of, uint32_t node, unsigned step, unsigned attempt);
    void *of;
};

/*
 * Runs nodes until the graph has ended, `timeout_ms` passed or `most` were run. Returns 0: the
 * graph is done; BAD_STATE: it failed; CANCELLED; WAIT_EXPIRED; AGAIN: `most` were run; LEASE_OVER,
 * NO_POOL; as tern_cache_get().
 */
int tern_dag_work(struct tern_run *run, const struct tern_dag_worker *worker);

/* Waits for the end, as tern_dag_work() does, and runs nothing. */
int tern_dag_wait(struct tern_run *run, int timeout_ms);
int tern_dag_cancel(struct tern_run *run);

/* ---- in a function */

const char *tern_attempt_node(const struct tern_attempt *attempt);
/* The output of the task before, in the same node; NULL and 0: it had none, or this is the first.
 */
const void *tern_attempt_before(const struct tern_attempt *attempt, uint64_t *bytes);
/* Inputs of the data constraints, in their order; NULL: there are no more. */
const void *tern_attempt_input(const struct tern_attempt *attempt, unsigned index,
                               const char **from, uint64_t *bytes);
/* The output, copied; the commit publishes it.  The last call counts.  NO_MEMORY, BAD_LENGTH. */
int tern_attempt_output(struct tern_attempt *attempt, const void *bytes, uint64_t length);
/* For long tasks: keeps the leases, and tells whether they are over. */
bool tern_attempt_lost(struct tern_attempt *attempt);

/* ---- figures */

enum tern_dag_state {
    TERN_DAG_WAITING,
    TERN_DAG_RUNNING,
    TERN_DAG_DONE,
    TERN_DAG_SKIPPED,
    TERN_DAG_FAILED,
    TERN_DAG_STATES
};

enum tern_dag_phase {
    TERN_DAG_NO_RUN,
    TERN_DAG_BUILDING,
    TERN_DAG_GOING,
    TERN_DAG_IS_DONE,
    TERN_DAG_HAS_FAILED,
    TERN_DAG_IS_CANCELLED
};

struct tern_dag_status {
    enum tern_dag_phase phase;
    uint32_t nodes, by_state[TERN_DAG_STATES];
    uint64_t joined;        /* bits of join words that predecessors set */
    uint64_t given;         /* nodes that servers took from dead workers */
    uint64_t refused;       /* commits of earlier attempts that were refused */
};

/* Reads all words of the run by one READ of each home. */
int tern_dag_status(struct tern_run *run, struct tern_dag_status *out);

struct tern_dag_node_info {
    enum tern_dag_state state;
    unsigned step, attempt;
    struct tern_holder holder;    /* of the last attempt, in the pool of the node's home */
    uint64_t begun_us, ended_us;  /* since the graph was published; 0: not yet */
};
/* The nth node, as of the last tern_dag_status().  BAD_RANGE. */
int tern_dag_node_info(const struct tern_run *run, uint32_t node, struct tern_dag_node_info *out);
/* Its name, by its record; NOT_FOUND. */
int tern_dag_node_name(struct tern_run *run, uint32_t node, char *name, size_t bytes);

/* Figures of this worker. */
struct tern_dag_counts {
    uint64_t nodes, tasks, skipped; /* committed */
    uint64_t exchanges;             /* rounds of operations that the worker waited for */
    uint64_t takes, taken, missed;  /* swaps that took nodes; nodes; swaps that came too late */
    uint64_t steals;                /* of the takes, from another home than the nearest */
    uint64_t commits, refused;
    uint64_t joins, pushes, kept;   /* edges; nodes pushed; nodes that it went on with itself */
    uint64_t checkins;              /* of the joins, those that NICs do */
    uint64_t unheard;               /* of these, refused by the NIC, and left to the sweep */
    uint64_t broadcasts, hosted;    /* of nodes that ended; of the joins, those that hosts do */
    uint64_t looks;                 /* reads of ready words */
    uint64_t idle_looks, ticks;     /* of these, while idle; ticks of idle time */
    uint64_t takeovers;             /* nodes whose successors a dead worker had not told */
};
void tern_dag_counts(const struct tern_run *run, struct tern_dag_counts *out);

/* Gets the output of a node that is done.  NOT_FOUND, BAD_STATE, BAD_SIZE; as tern_cache_get(). */
int tern_dag_result(struct tern_run *run, uint32_t node, void *to, uint64_t room,
                    uint64_t *bytes);

/*
 * Writes when each node ran, and where: a timeline as SVG if the path ends with .svg, else a Chrome
 * trace (JSON). As of the last tern_dag_status(); names are those of the records, one exchange
 * each.  SYSTEM.
 */
int tern_dag_trace(struct tern_run *run, const char *path);

#ifdef __cplusplus
}
#endif

#endif
