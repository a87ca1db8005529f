/* SPDX-License-Identifier: Apache-2.0 */
/* tern.SendQueue: operations, each posted by a call. */
#include "tern_py.h"

struct tern_sq *py_sq_free(struct py_sq *sq)
{
    if (!py_cq_free(sq->reports))
        return NULL;
    if (!sq->sq)
        (void)py_raise(TERN_ST_BAD_QUEUE);
    return sq->sq;
}

static struct py_sq *of(PyObject *object)
{
    return (struct py_sq *)(void *)object;
}

bool py_u64(PyObject *number, uint64_t *value)
{
    if (!PyLong_Check(number)) {
        PyErr_SetString(PyExc_TypeError, "an integer is needed");
        return false;
    }
    *value = PyLong_AsUnsignedLongLong(number);
    if (!PyErr_Occurred())
        return true;
    PyErr_Clear();
    *value = (uint64_t)PyLong_AsLongLong(number);
    return !PyErr_Occurred();
}

unsigned py_flags(int signal, int fence)
{
    return (signal ? TERN_DFLAG_SIGNAL : 0) | (fence ? TERN_DFLAG_FENCE : 0);
}

/* For "O&" of the parser: an integer of 64 bits, of either sign. */
static int to_u64(PyObject *number, void *value)
{
    return py_u64(number, value);
}

/* ---- making and freeing */

PyObject *py_sq_create(struct py_cq *cq, PyObject *args, PyObject *names)
{
    static char *words[] = {"log2_entries", NULL};
    unsigned log2_entries = 6;
    struct py_sq *self;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "|I", words, &log2_entries) || !py_cq_free(cq))
        return NULL;
    self = PyObject_New(struct py_sq, &py_sq_type);
    if (!self)
        return NULL;
    Py_INCREF(cq);
    self->reports = cq;
    status = tern_sq_create(cq->cq, log2_entries, &self->sq);
    if (status) {
        self->sq = NULL;
        Py_DECREF(self);
        return py_raise(status);
    }
    return (PyObject *)self;
}

/* Waits for operations in flight, without the lock. */
static int destroy(struct py_sq *self)
{
    struct tern_sq *sq = self->sq;
    PyThreadState *state;
    int status;

    if (!sq || !self->reports->owner->device)
        return 0;
    self->sq = NULL;
    state = py_cq_enter(self->reports);
    status = tern_sq_destroy(sq);
    py_cq_leave(self->reports, state);
    return status;
}

static PyObject *sq_destroy(PyObject *self, PyObject *unused)
{
    (void)unused;
    return py_sq_free(of(self)) ? py_none_or(destroy(of(self))) : NULL;
}

/* A queue that a thread waits for stays until its device closes. */
static void sq_dealloc(PyObject *object)
{
    struct py_sq *self = of(object);

    if (!self->reports->busy)
        (void)destroy(self);
    Py_DECREF(self->reports);
    PyObject_Free(self);
}

static PyObject *sq_number(PyObject *self, void *unused)
{
    (void)unused;
    return py_sq_free(of(self)) ? PyLong_FromLong(tern_sq_number(of(self)->sq)) : NULL;
}

/* ---- puts and gets */

/* The arguments that puts and gets share. */
struct move {
    struct py_pointer *pointer;
    struct py_region *region;
    unsigned long long offset;
    uint64_t bytes, context;
    int signal, fence;
    void *at;
};

static bool move_arguments(struct py_sq *sq, PyObject *args, PyObject *names, struct move *move)
{
    static char *words[] = {"pointer", "region", "offset", "length", "context", "signal",
                            "fence", NULL};
    PyObject *length = Py_None;

    *move = (struct move){.signal = 1};
    if (!PyArg_ParseTupleAndKeywords(args, names, "O!O!|KOO&pp", words, &py_pointer_type,
                                     &move->pointer, &py_region_type, &move->region,
                                     &move->offset, &length, to_u64, &move->context,
                                     &move->signal, &move->fence))
        return false;
    if (!py_sq_free(sq) || !py_region_there(move->region))
        return false;
    move->bytes = (uint64_t)move->region->memory.len - move->offset;
    if (length != Py_None && !py_u64(length, &move->bytes))
        return false;
    move->at = py_region_at(move->region, move->offset, move->bytes);
    return move->at != NULL;
}

static PyObject *sq_put(PyObject *self, PyObject *args, PyObject *names)
{
    struct move move;

    if (!move_arguments(of(self), args, names, &move))
        return NULL;
    return py_none_or(tern_put_long(of(self)->sq, move.pointer->pointer, move.region->region,
                                    move.at, move.bytes, py_flags(move.signal, move.fence),
                                    move.context));
}

static PyObject *sq_get(PyObject *self, PyObject *args, PyObject *names)
{
    struct move move;

    if (!move_arguments(of(self), args, names, &move))
        return NULL;
    if (move.bytes > UINT32_MAX)
        return py_raise(TERN_ST_BAD_LENGTH);
    return py_none_or(tern_read(of(self)->sq, move.pointer->pointer, move.region->region, move.at,
                                (uint32_t)move.bytes, py_flags(move.signal, move.fence),
                                move.context));
}

static PyObject *sq_put_inline(PyObject *self, PyObject *args, PyObject *names)
{
    static char *words[] = {"pointer", "data", "context", "signal", "fence", NULL};
    struct py_pointer *pointer;
    uint64_t context = 0;
    int signal = 1, fence = 0, status;
    Py_buffer data;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!y*|O&pp", words, &py_pointer_type, &pointer,
                                     &data, to_u64, &context, &signal, &fence))
        return NULL;
    if (!py_sq_free(of(self))) {
        PyBuffer_Release(&data);
        return NULL;
    }
    status = data.len > TERN_INLINE_BYTES_MAX
                 ? -TERN_ST_BAD_LENGTH
                 : tern_put_inline(of(self)->sq, pointer->pointer, data.buf, (uint32_t)data.len,
                                   py_flags(signal, fence), context);
    PyBuffer_Release(&data);
    return py_none_or(status);
}

/* ---- atomic operations */

static PyObject *sq_compare_swap(PyObject *self, PyObject *args, PyObject *names)
{
    static char *words[] = {"pointer", "compare", "swap", "context", "signal", "fence", NULL};
    struct py_pointer *at;
    uint64_t compare, swap, context = 0;
    int signal = 1, fence = 0;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!O&O&|O&pp", words, &py_pointer_type, &at,
                                     to_u64, &compare, to_u64, &swap, to_u64, &context, &signal,
                                     &fence) ||
        !py_sq_free(of(self)))
        return NULL;
    return py_none_or(tern_compare_swap(of(self)->sq, at->pointer, compare, swap,
                                        py_flags(signal, fence), context));
}

typedef int add_fn(struct tern_sq *sq, struct tern_rptr at, uint64_t value, unsigned flags,
                   uint64_t context);

static PyObject *with_one_value(struct py_sq *self, PyObject *args, PyObject *names, add_fn *post)
{
    static char *words[] = {"pointer", "value", "context", "signal", "fence", NULL};
    struct py_pointer *at;
    uint64_t value, context = 0;
    int signal = 1, fence = 0;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!O&|O&pp", words, &py_pointer_type, &at,
                                     to_u64, &value, to_u64, &context, &signal, &fence) ||
        !py_sq_free(self))
        return NULL;
    return py_none_or(post(self->sq, at->pointer, value, py_flags(signal, fence), context));
}

static PyObject *sq_fetch_add(PyObject *self, PyObject *args, PyObject *names)
{
    return with_one_value(of(self), args, names, tern_fetch_add);
}

static PyObject *sq_swap(PyObject *self, PyObject *args, PyObject *names)
{
    return with_one_value(of(self), args, names, tern_swap);
}

static PyObject *sq_masked(PyObject *self, PyObject *args, PyObject *names)
{
    static char *words[] = {"pointer", "opcode", "compare", "compare_mask", "swap", "swap_mask",
                            "context", "signal", "fence", NULL};
    struct tern_masked masked = {0};
    struct tern_sq *sq;
    struct py_pointer *at;
    uint64_t context = 0;
    unsigned flags;
    int opcode, signal = 1, fence = 0;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!iO&O&O&O&|O&pp", words, &py_pointer_type, &at,
                                     &opcode, to_u64, &masked.compare, to_u64,
                                     &masked.compare_mask, to_u64, &masked.swap, to_u64,
                                     &masked.swap_mask, to_u64, &context, &signal, &fence))
        return NULL;
    sq = py_sq_free(of(self));
    if (!sq)
        return NULL;
    flags = py_flags(signal, fence);
    switch (opcode) {
    case TERN_OP_CAS:
        return py_none_or(tern_compare_swap_masked(sq, at->pointer, &masked, flags, context));
    case TERN_OP_ADD:
        return py_none_or(tern_fetch_add_masked(sq, at->pointer, &masked, flags, context));
    case TERN_OP_TAKE:
        return py_none_or(tern_take(sq, at->pointer, &masked, flags, context));
    default:
        return py_raise(TERN_ST_BAD_OPCODE);
    }
}

/* ---- messages */

static PyObject *sq_send(PyObject *self, PyObject *args, PyObject *names)
{
    static char *words[] = {"node", "queue", "data", "imm", "offset", "length", "context",
                            "signal", "fence", "solicited", NULL};
    struct tern_target to = {0};
    struct py_region *region;
    PyObject *data, *imm = Py_None;
    unsigned long long offset = 0;
    uint64_t context = 0, number = 0, length = 0;
    int signal = 1, fence = 0, solicited = 0, status;
    unsigned flags;
    Py_buffer bytes;

    if (!PyArg_ParseTupleAndKeywords(args, names, "HHO|OKO&O&ppp", words, &to.node, &to.queue,
                                     &data, &imm, &offset, to_u64, &length, to_u64, &context,
                                     &signal, &fence, &solicited) ||
        (imm != Py_None && !py_u64(imm, &number)) || !py_sq_free(of(self)))
        return NULL;
    to.imm = (uint32_t)number;
    flags = py_flags(signal, fence) | (imm != Py_None ? TERN_DFLAG_IMM : 0) |
            (solicited ? TERN_DFLAG_SOLICITED : 0);
    if (Py_IS_TYPE(data, &py_region_type)) {
        region = (struct py_region *)(void *)data;
        if (!py_region_there(region) || !py_region_at(region, offset, length))
            return NULL;
        if (length > UINT32_MAX)
            return py_raise(TERN_ST_BAD_LENGTH);
        return py_none_or(tern_send(of(self)->sq, to, region->region,
                                    (uint8_t *)region->memory.buf + offset, (uint32_t)length,
                                    flags, context));
    }
    if (PyObject_GetBuffer(data, &bytes, PyBUF_SIMPLE))
        return NULL;
    status = bytes.len > TERN_INLINE_BYTES_MAX
                 ? -TERN_ST_BAD_LENGTH
                 : tern_send(of(self)->sq, to, NULL, bytes.buf, (uint32_t)bytes.len, flags,
                             context);
    PyBuffer_Release(&bytes);
    return py_none_or(status);
}

/* ---- lookups */

static PyObject *sq_lookup(PyObject *self, PyObject *args, PyObject *names)
{
    static char *words[] = {"table", "log2_buckets", "key", "region", "offset", "room",
                            "context", NULL};
    struct tern_table_lookup lookup = {0};
    struct py_pointer *start;
    struct py_region *region;
    unsigned long long offset = 0;
    uint64_t context = 0;
    Py_buffer key;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!by*O!|KIO&", words, &py_pointer_type, &start,
                                     &lookup.table.log2_buckets, &key, &py_region_type, &region,
                                     &offset, &lookup.room, to_u64, &context))
        return NULL;
    lookup.hash = tern_table_hash(key.buf, (size_t)key.len);
    PyBuffer_Release(&key);
    if (!py_sq_free(of(self)) || !py_region_there(region))
        return NULL;
    if (!lookup.room && offset < (uint64_t)region->memory.len)
        lookup.room = (uint32_t)((uint64_t)region->memory.len - offset);
    lookup.table.start = start->pointer;
    lookup.region = region->region;
    lookup.to = py_region_at(region, offset, lookup.room);
    if (!lookup.to)
        return NULL;
    return py_none_or(tern_table_lookup(of(self)->sq, &lookup, TERN_DFLAG_SIGNAL, context));
}

/* ---- the type */

#define NAMED(function) (PyCFunction)(void (*)(void))function, METH_VARARGS | METH_KEYWORDS

static PyMethodDef sq_methods[] = {
    {"put", NAMED(sq_put),
     "put(pointer, region, offset=0, length=None, context=0, signal=True, fence=False):\n"
     "posts a put of the region's bytes, of any length.  AGAIN: poll, then try again."},
    {"put_inline", NAMED(sq_put_inline),
     "put_inline(pointer, data, context=0, signal=True, fence=False): up to 32 bytes, copied."},
    {"get", NAMED(sq_get),
     "get(pointer, region, offset=0, length=None, context=0, signal=True, fence=False):\n"
     "posts a read of memory of another node into the region."},
    {"compare_swap", NAMED(sq_compare_swap),
     "compare_swap(pointer, compare, swap, context=0, signal=True, fence=False):\n"
     "the completion's value is the old word."},
    {"fetch_add", NAMED(sq_fetch_add),
     "fetch_add(pointer, value, context=0, signal=True, fence=False)"},
    {"swap", NAMED(sq_swap), "swap(pointer, value, context=0, signal=True, fence=False)"},
    {"masked", NAMED(sq_masked),
     "masked(pointer, opcode, compare, compare_mask, swap, swap_mask, context=0, signal=True,\n"
     "fence=False): OP_CAS, OP_ADD or OP_TAKE under masks."},
    {"send", NAMED(sq_send),
     "send(node, queue, data, imm=None, offset=0, length=0, context=0, signal=True,\n"
     "fence=False, solicited=False): a message of up to 32 bytes, or of bytes of a region."},
    {"lookup", NAMED(sq_lookup),
     "lookup(table, log2_buckets, key, region, offset=0, room=rest of the region, context=0):\n"
     "copies the record of a key to the region; see tern.record()."},
    {"destroy", sq_destroy, METH_NOARGS, "Waits for operations in flight, and frees the queue."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef sq_fields[] = {
    {"number", sq_number, NULL, "the number of the queue", NULL}, {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject py_sq_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.SendQueue",
    .tp_doc = "Operations are posted here; made by CompletionQueue.sq().",
    .tp_basicsize = sizeof(struct py_sq),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = sq_dealloc,
    .tp_methods = sq_methods,
    .tp_getset = sq_fields,
};
