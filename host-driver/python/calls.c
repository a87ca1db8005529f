/* SPDX-License-Identifier: Apache-2.0 */
/* tern.Calls and tern.Prepared: two tables in a row lead from a list of dicts to descriptors. */
#include "calls_py.h"

struct py_calls {
    PyObject_HEAD
    struct py_sq *sq;
    struct tern_calls *calls; /* the second table, that of the library */
    struct list_table lists;  /* the first */
    bool off, check_hits;
    unsigned releases;        /* of regions, as of the last sweep */
    struct list_words words;  /* of the call at hand */
    struct packed packed;     /* what was packed for it */
};

struct py_prepared {
    PyObject_HEAD
    struct py_calls *calls;
    struct tern_prepared *prepared;
    PyObject *objects; /* of the list */
    struct tern_hole *holes;
    Py_ssize_t hole_count;
    struct packed packed;
};

static struct py_calls *of(PyObject *object)
{
    return (struct py_calls *)(void *)object;
}

/* ---- making and freeing */

static PyObject *calls_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    static char *words[] = {"sq", "log2_sets", "fingerprint_bits", "check_hits", "off", NULL};
    struct tern_calls_config config = {0};
    int check_hits = 0, off = 0, status;
    struct py_calls *self;
    struct py_sq *sq;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!|IIpp", words, &py_sq_type, &sq,
                                     &config.log2_sets, &config.fingerprint_bits, &check_hits,
                                     &off) ||
        !py_sq_free(sq))
        return NULL;
    self = of(type->tp_alloc(type, 0));
    if (!self)
        return NULL;
    Py_INCREF(sq);
    self->sq = sq;
    config.check_hits = self->check_hits = check_hits;
    config.off = self->off = off;
    status = tern_calls_create(sq->sq, &config, &self->calls);
    if (status)
        (void)py_raise(status);
    if (status || !list_table_make(&self->lists, config.log2_sets, config.fingerprint_bits)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void calls_dealloc(PyObject *object)
{
    list_table_free(&of(object)->lists);
    tern_calls_destroy(of(object)->calls);
    Py_DECREF(of(object)->sq);
    Py_TYPE(object)->tp_free(object);
}

/* ---- calling */

/* The queue may have gone, but no other thread may be using it. */
static bool is_free(struct py_calls *self)
{
    struct py_cq *cq = self->sq->reports;

    if (cq->busy || !cq->owner->device) {
        (void)py_raise(cq->busy ? TERN_ST_QUEUE_BUSY : TERN_ST_DISCONNECTED);
        return false;
    }
    return true;
}

static void look(struct py_calls *self)
{
    if (self->releases == py_releases)
        return;
    self->releases = py_releases;
    list_sweep(&self->lists);
}

static bool alike(const struct tern_wr *a, const struct tern_wr *b)
{
    return a->opcode == b->opcode && a->flags == b->flags && a->id == b->id &&
           memcmp(&a->remote, &b->remote, sizeof(a->remote)) == 0 &&
           a->target.node == b->target.node && a->target.queue == b->target.queue &&
           a->target.imm == b->target.imm && a->compare == b->compare && a->swap == b->swap &&
           a->sge_count == b->sge_count;
}

static bool segments_alike(const struct tern_wr *a, const struct tern_wr *b)
{
    for (unsigned i = 0; i < a->sge_count; i++) {
        if (a->sges[i].region != b->sges[i].region || a->sges[i].addr != b->sges[i].addr ||
            a->sges[i].bytes != b->sges[i].bytes)
            return false;
    }
    return true;
}

/* Packs what was found, and compares; the packed one wins. */
static struct tern_wr *check_hit(struct py_calls *self, PyObject *list,
                                 const struct stored_list *stored)
{
    struct tern_wr *wr = self->packed.wr;

    if (!list_pack(list, &self->packed))
        return NULL;
    for (unsigned i = 0; i < self->packed.requests; i++) {
        if (!alike(&wr[i], &stored->wr[i]) || !segments_alike(&wr[i], &stored->wr[i])) {
            self->lists.counts.unlike++;
            break;
        }
    }
    return wr;
}

/* The first table: from the list to the packed list.  NULL with an error set. */
static struct tern_wr *find(struct py_calls *self, PyObject *list)
{
    struct stored_list *stored;

    if (self->off)
        return list_pack(list, &self->packed) ? self->packed.wr : NULL;
    look(self);
    if (!list_identify(list, &self->words))
        return NULL;
    stored = list_find(&self->lists, &self->words);
    if (stored)
        return self->check_hits ? check_hit(self, list, stored) : stored->wr;
    if (!list_pack(list, &self->packed))
        return NULL;
    if (list_is_constant(list))
        (void)list_enter(&self->lists, &self->words, &self->packed, list);
    else
        self->lists.counts.unstored++;
    return self->packed.wr;
}

/* Requests of a packed list lie in a row. */
static PyObject *answer(int status, const struct tern_wr *first, const struct tern_wr *bad)
{
    if (!status)
        Py_RETURN_NONE;
    return bad ? py_raise_request(status, bad - first) : py_raise(status);
}

static PyObject *calls_call(PyObject *object, PyObject *list)
{
    struct py_calls *self = of(object);
    const struct tern_wr *bad = NULL;
    struct tern_wr *wr;

    if (!is_free(self))
        return NULL;
    wr = find(self, list);
    return wr ? answer(tern_call(self->calls, wr, &bad), wr, bad) : NULL;
}

static PyObject *calls_counts(PyObject *object, PyObject *unused)
{
    const struct list_counts *lists = &of(object)->lists.counts;
    struct tern_calls_counts counts;

    (void)unused;
    tern_calls_counts(of(object)->calls, &counts);
    return Py_BuildValue(
        "{s:{s:K,s:K,s:K,s:K,s:K,s:K,s:K},s:{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K}}",
        "lists", "hits", lists->hits, "misses", lists->misses, "evicted", lists->evicted,
        "invalidated", lists->invalidated, "collisions", lists->collisions, "unlike",
        lists->unlike, "unstored", lists->unstored,
        "packed", "hits", counts.hits, "misses", counts.misses, "evicted", counts.evicted,
        "unstored", counts.unstored, "invalidated", counts.invalidated, "collisions",
        counts.collisions, "unlike", counts.unlike, "executed", counts.executed);
}

/* ---- prepared calls */

static const struct {
    const char *text;
    enum tern_hole_kind kind;
} kinds[] = {{"local", TERN_HOLE_LOCAL}, {"remote", TERN_HOLE_REMOTE}, {"key", TERN_HOLE_KEY},
             {"length", TERN_HOLE_LENGTH}, {"imm", TERN_HOLE_IMM}, {"id", TERN_HOLE_ID}};

/* A hole is (request, name) or (request, "local", segment). */
static bool read_hole(PyObject *from, struct tern_hole *hole)
{
    const char *text;

    if (!PyTuple_Check(from)) {
        PyErr_SetString(PyExc_TypeError, "a hole is (request, name) or (request, name, segment)");
        return false;
    }
    hole->segment = 0;
    if (!PyArg_ParseTuple(from, "Is|I", &hole->request, &text, &hole->segment))
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].text, text) == 0) {
            hole->kind = kinds[i].kind;
            return true;
        }
    }
    (void)py_raise(TERN_ST_BAD_ARGUMENT);
    return false;
}

static bool read_holes(struct py_prepared *self, PyObject *tuple)
{
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);

    self->holes = PyMem_New(struct tern_hole, (size_t)count + 1);
    if (!self->holes) {
        (void)PyErr_NoMemory();
        return false;
    }
    self->hole_count = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!read_hole(PyTuple_GET_ITEM(tuple, i), &self->holes[i]))
            return false;
    }
    return true;
}

static bool prepare(struct py_prepared *self, PyObject *list, PyObject *holes)
{
    const struct tern_wr *bad = NULL;
    int status;

    if (!read_holes(self, holes) || !list_pack(list, &self->packed))
        return false;
    self->objects = list_objects(list);
    if (!self->objects)
        return false;
    status = tern_call_prepare(self->calls->calls, self->packed.wr, self->holes,
                               (unsigned)self->hole_count, &self->prepared, &bad);
    if (status) {
        self->prepared = NULL;
        (void)answer(status, self->packed.wr, bad);
    }
    return !status;
}

static PyObject *calls_prepare(PyObject *object, PyObject *args)
{
    struct py_prepared *self;
    PyObject *list, *holes = NULL;
    bool good;

    if (!PyArg_ParseTuple(args, "O|O", &list, &holes) || !is_free(of(object)))
        return NULL;
    holes = holes ? PySequence_Tuple(holes) : PyTuple_New(0);
    self = holes ? PyObject_New(struct py_prepared, &py_prepared_type) : NULL;
    if (!self) {
        Py_XDECREF(holes);
        return NULL;
    }
    Py_INCREF(object);
    self->calls = of(object);
    self->prepared = NULL;
    self->objects = NULL;
    self->holes = NULL;
    good = prepare(self, list, holes);
    Py_DECREF(holes);
    if (!good) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void prepared_dealloc(PyObject *object)
{
    struct py_prepared *self = (struct py_prepared *)(void *)object;

    tern_call_free(self->prepared);
    Py_XDECREF(self->objects);
    PyMem_Free(self->holes);
    Py_DECREF(self->calls);
    PyObject_Free(self);
}

/* The value that the library wants: an offset in the segment's region becomes an address. */
static bool hole_value(const struct py_prepared *self, const struct tern_hole *hole,
                       PyObject *from, uint64_t *value)
{
    const struct tern_sge *sge;

    if (hole->kind == TERN_HOLE_REMOTE && Py_IS_TYPE(from, &py_pointer_type)) {
        *value = TERN_GET(RPTR, addr, ((const struct py_pointer *)(void *)from)->pointer.w);
        return true;
    }
    if (!py_u64(from, value))
        return false;
    if (hole->kind != TERN_HOLE_LOCAL)
        return true;
    sge = &self->packed.wr[hole->request].sges[hole->segment];
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(self->objects); i++) {
        const struct py_region *region =
            (const struct py_region *)(void *)PyList_GET_ITEM(self->objects, i);

        if (Py_IS_TYPE(region, &py_region_type) && region->region == sge->region) {
            void *at = py_region_at(region, *value, 0);

            *value = (uintptr_t)at;
            return at != NULL;
        }
    }
    (void)py_raise(TERN_ST_STALE_POINTER);
    return false;
}

static PyObject *prepared_set(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    struct py_prepared *self = (struct py_prepared *)(void *)object;
    Py_ssize_t hole = count == 2 ? PyLong_AsSsize_t(args[0]) : -1;
    uint64_t value;

    if (PyErr_Occurred())
        return NULL;
    if (hole < 0 || hole >= self->hole_count)
        return py_raise(TERN_ST_BAD_ARGUMENT);
    if (!is_free(self->calls) || !hole_value(self, &self->holes[hole], args[1], &value))
        return NULL;
    return py_none_or(tern_call_set(self->prepared, (unsigned)hole, value));
}

static PyObject *prepared_execute(PyObject *object, PyObject *unused)
{
    struct py_prepared *self = (struct py_prepared *)(void *)object;

    (void)unused;
    return is_free(self->calls) ? py_none_or(tern_call_execute(self->prepared)) : NULL;
}

static PyMethodDef prepared_methods[] = {
    {"set", (PyCFunction)(void (*)(void))prepared_set, METH_FASTCALL,
     "set(hole, value): fills hole number `hole`, as declared, for all later executions; a local\n"
     "hole takes an offset in its region, a remote one a Pointer or an address."},
    {"execute", prepared_execute, METH_NOARGS,
     "Posts the call.  STALE_POINTER: a region of it was released.  AGAIN."},
    {NULL, NULL, 0, NULL}};

PyTypeObject py_prepared_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Prepared",
    .tp_doc = "A call whose descriptors are ready; made by Calls.prepare().",
    .tp_basicsize = sizeof(struct py_prepared),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = prepared_dealloc,
    .tp_methods = prepared_methods,
};

static PyMethodDef calls_methods[] = {
    {"call", calls_call, METH_O,
     "call(list): posts all requests of a list of dicts, or none.  See docs/python.md."},
    {"prepare", calls_prepare, METH_VARARGS,
     "prepare(list, holes=()): a Prepared; a hole is (request, name) or (request, \"local\",\n"
     "segment), with name \"local\", \"remote\", \"key\", \"length\", \"imm\" or \"id\"."},
    {"counts", calls_counts, METH_NOARGS, "Figures of both tables, as a dict."},
    {NULL, NULL, 0, NULL}};

PyTypeObject py_calls_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Calls",
    .tp_doc = "Calls(sq, log2_sets=6, fingerprint_bits=64, check_hits=False, off=False): calls\n"
              "that come again are not built again.",
    .tp_basicsize = sizeof(struct py_calls),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = calls_new,
    .tp_dealloc = calls_dealloc,
    .tp_methods = calls_methods,
};
