/* SPDX-License-Identifier: Apache-2.0 */
/* A list of dicts: its identity for the table, and its packed form. */
#include "calls_py.h"

/* ---- names */

enum name {
    OP, REMOTE, LOCAL, SIGNAL, ID, FENCE, DATA, INLINE, NODE, QUEUE, IMM, COMPARE, SWAP, VALUE,
    SOLICITED, NAMES
};
static const char *const texts[NAMES] = {"op", "remote", "local", "signal", "id", "fence", "data",
                                         "inline", "node", "queue", "imm", "compare", "swap",
                                         "value", "solicited"};
static PyObject *names[NAMES];

static const struct {
    const char *text;
    uint8_t opcode;
} ops[] = {{"put", TERN_WR_PUT}, {"get", TERN_WR_READ}, {"send", TERN_WR_SEND},
           {"cas", TERN_WR_CAS}, {"add", TERN_WR_ADD}};
enum { OPS = sizeof(ops) / sizeof(ops[0]) };
static PyObject *op_names[OPS];

bool request_names_make(void)
{
    for (unsigned i = 0; i < NAMES; i++) {
        names[i] = PyUnicode_InternFromString(texts[i]);
        if (!names[i])
            return false;
    }
    for (unsigned i = 0; i < OPS; i++) {
        op_names[i] = PyUnicode_InternFromString(ops[i].text);
        if (!op_names[i])
            return false;
    }
    return true;
}

/* Finds an object among names: by identity, as literals are, else by its text. */
static unsigned find_name(PyObject *object, PyObject *const *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (all[i] == object)
            return i;
    }
    for (unsigned i = 0; i < count && PyUnicode_CheckExact(object); i++) {
        if (PyUnicode_Compare(all[i], object) == 0)
            return i;
    }
    return count;
}

/* ---- integers */

/* Most integers have one digit inside. */
static inline bool number(PyObject *object, uint64_t *value)
{
#if PY_VERSION_HEX >= 0x030c0000
    if (PyLong_CheckExact(object) && PyUnstable_Long_IsCompact((PyLongObject *)(void *)object)) {
        *value = (uint64_t)PyUnstable_Long_CompactValue((PyLongObject *)(void *)object);
        return true;
    }
#else
    if (PyLong_CheckExact(object) && (size_t)Py_SIZE(object) <= 1) {
        *value = Py_SIZE(object) ? ((PyLongObject *)(void *)object)->ob_digit[0] : 0;
        return true;
    }
#endif
    return py_u64(object, value);
}

static bool refuse(int status, unsigned request)
{
    (void)py_raise_request(status, request);
    return false;
}

/* ---- walking */

/* The items of a list or tuple. */
static inline bool items(PyObject *sequence, PyObject *const **item, Py_ssize_t *count)
{
    if (PyList_CheckExact(sequence)) {
        *item = ((PyListObject *)(void *)sequence)->ob_item;
        *count = PyList_GET_SIZE(sequence);
        return true;
    }
    if (PyTuple_CheckExact(sequence)) {
        *item = ((PyTupleObject *)(void *)sequence)->ob_item;
        *count = PyTuple_GET_SIZE(sequence);
        return true;
    }
    return false;
}

/* The parts of a segment: region, offset, bytes. */
static inline struct py_region *segment(PyObject *from, uint64_t *offset, uint64_t *bytes)
{
    PyObject *const *part;
    Py_ssize_t count;

    if (!items(from, &part, &count) || count != 3 || !Py_IS_TYPE(part[0], &py_region_type)) {
        PyErr_SetString(PyExc_TypeError, "a segment is (region, offset, bytes)");
        return NULL;
    }
    if (!number(part[1], offset) || !number(part[2], bytes) ||
        !py_region_there((struct py_region *)(void *)part[0]))
        return NULL;
    return (struct py_region *)(void *)part[0];
}

/* The requests of a list; their number is checked. */
static inline bool requests(PyObject *list, PyObject *const **item, Py_ssize_t *count)
{
    if (!items(list, item, count)) {
        PyErr_SetString(PyExc_TypeError, "a call is a list of dicts");
        return false;
    }
    if (*count == 0 || *count > TERN_CALL_OPS)
        return refuse(TERN_ST_BAD_LENGTH, 0);
    return true;
}

/* ---- words: a dict and the state that it is in */

/*
 * CPython gives each state of each dict a number of its own, until 3.13.  With later releases every
 * call is packed and built.
 */
static inline uint64_t state_of(PyObject *dict)
{
#if PY_VERSION_HEX < 0x030e0000
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return ((PyDictObject *)(void *)dict)->ma_version_tag;
#pragma GCC diagnostic pop
#else
    (void)dict;
    return 0;
#endif
}

static inline uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

bool list_identify(PyObject *list, struct list_words *words)
{
    PyObject *const *item;
    Py_ssize_t count;
    uint64_t sum = 0;

    if (!requests(list, &item, &count))
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!PyDict_CheckExact(item[i]))
            return refuse(TERN_ST_BAD_ARGUMENT, (unsigned)i);
        words->at[2 * i] = (uint64_t)(uintptr_t)item[i];
        words->at[2 * i + 1] = state_of(item[i]);
        sum = mix(sum, words->at[2 * i + 1]);
    }
    words->requests = (unsigned)count;
    words->fingerprint = sum;
    return true;
}

/* A value that cannot change while its dict does not. */
static bool is_constant(PyObject *value)
{
    if (!PyTuple_CheckExact(value))
        return !PyList_CheckExact(value);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); i++) {
        if (!is_constant(PyTuple_GET_ITEM(value, i)))
            return false;
    }
    return true;
}

bool list_is_constant(PyObject *list)
{
    PyObject *const *item;
    PyObject *key, *value;
    Py_ssize_t count;

    if (PY_VERSION_HEX >= 0x030e0000 || !items(list, &item, &count))
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t place = 0;

        while (PyDict_Next(item[i], &place, &key, &value)) {
            if (!is_constant(value))
                return false;
        }
    }
    return true;
}

/* ---- the objects of a list */

static bool hold_value(PyObject *objects, PyObject *value)
{
    PyObject *const *item;
    Py_ssize_t count;

    if (!items(value, &item, &count))
        return PyList_Append(objects, value) == 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        uint64_t offset, bytes;
        struct py_region *region = segment(item[i], &offset, &bytes);

        if (!region || PyList_Append(objects, (PyObject *)region))
            return false;
    }
    return true;
}

PyObject *list_objects(PyObject *list)
{
    PyObject *objects = PyList_New(0), *key, *value;
    PyObject *const *item;
    Py_ssize_t count;

    if (!objects || !requests(list, &item, &count)) {
        Py_XDECREF(objects);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t place = 0;
        bool held = PyList_Append(objects, item[i]) == 0;

        while (held && PyDict_Next(item[i], &place, &key, &value))
            held = hold_value(objects, value);
        if (!held) {
            Py_DECREF(objects);
            return NULL;
        }
    }
    return objects;
}

/* ---- packing */

/* A request while its keys are read. */
struct reading {
    struct packed *packed;
    struct tern_wr *wr;
    struct tern_sge *sges; /* the place of its segments */
    unsigned request, seen;
};

static bool pack_segments(struct reading *to, PyObject *value)
{
    PyObject *const *item;
    Py_ssize_t count;

    if (!items(value, &item, &count) || to->wr->sge_count)
        return refuse(TERN_ST_BAD_ARGUMENT, to->request);
    for (Py_ssize_t i = 0; i < count; i++) {
        struct tern_sge *sge = &to->sges[i];
        uint64_t offset, bytes;
        const struct py_region *region = segment(item[i], &offset, &bytes);

        if (!region)
            return false;
        if (to->packed->segments++ == TERN_CALL_OPS || bytes > UINT32_MAX)
            return refuse(TERN_ST_BAD_LENGTH, to->request);
        if (offset > (uint64_t)region->memory.len ||
            bytes > (uint64_t)region->memory.len - offset)
            return refuse(TERN_ST_BAD_RANGE, to->request);
        *sge = (struct tern_sge){region->region, (uint8_t *)region->memory.buf + offset,
                                 (uint32_t)bytes};
    }
    to->wr->sge_count = (unsigned)count;
    return true;
}

/* Bytes are a segment without a region, which each post copies. */
static bool pack_data(struct reading *to, PyObject *value)
{
    if (!PyBytes_CheckExact(value) || to->wr->sge_count)
        return refuse(TERN_ST_BAD_ARGUMENT, to->request);
    if (to->packed->segments++ == TERN_CALL_OPS || PyBytes_GET_SIZE(value) > UINT32_MAX)
        return refuse(TERN_ST_BAD_LENGTH, to->request);
    *to->sges = (struct tern_sge){NULL, PyBytes_AS_STRING(value),
                                  (uint32_t)PyBytes_GET_SIZE(value)};
    to->wr->sge_count = 1;
    to->wr->flags |= TERN_WR_INLINE;
    return true;
}

static bool pack_op(struct reading *to, PyObject *value)
{
    unsigned op = find_name(value, op_names, OPS);

    if (op == OPS)
        return refuse(TERN_ST_BAD_OPCODE, to->request);
    to->wr->opcode = ops[op].opcode;
    return true;
}

static bool pack_flag(struct reading *to, PyObject *value, uint8_t flag)
{
    if (!PyBool_Check(value))
        return refuse(TERN_ST_BAD_ARGUMENT, to->request);
    if (value == Py_True)
        to->wr->flags |= flag;
    return true;
}

/* An integer up to `most`. */
static bool pack_number(struct reading *to, PyObject *value, uint64_t most, uint64_t *out)
{
    if (!PyLong_CheckExact(value))
        return refuse(TERN_ST_BAD_ARGUMENT, to->request);
    if (!number(value, out))
        return false;
    return *out <= most || refuse(TERN_ST_BAD_ARGUMENT, to->request);
}

static bool pack_pair(struct reading *to, enum name name, PyObject *value)
{
    uint64_t word;

    switch (name) {
    case OP:
        return pack_op(to, value);
    case REMOTE:
        if (!Py_IS_TYPE(value, &py_pointer_type))
            return refuse(TERN_ST_BAD_ARGUMENT, to->request);
        to->wr->remote = ((const struct py_pointer *)(void *)value)->pointer;
        return true;
    case LOCAL:
        return pack_segments(to, value);
    case DATA:
        return pack_data(to, value);
    case SIGNAL:
        return pack_flag(to, value, TERN_WR_SIGNAL);
    case FENCE:
        return pack_flag(to, value, TERN_WR_FENCE);
    case INLINE:
        return pack_flag(to, value, TERN_WR_INLINE);
    case SOLICITED:
        return pack_flag(to, value, TERN_WR_SOLICITED);
    case ID:
        return pack_number(to, value, UINT64_MAX, &to->wr->id);
    case COMPARE:
        return pack_number(to, value, UINT64_MAX, &to->wr->compare);
    case SWAP:
    case VALUE:
        return pack_number(to, value, UINT64_MAX, &to->wr->swap);
    case NODE:
        if (!pack_number(to, value, UINT16_MAX, &word))
            return false;
        to->wr->target.node = (uint16_t)word;
        return true;
    case QUEUE:
        if (!pack_number(to, value, UINT16_MAX, &word))
            return false;
        to->wr->target.queue = (uint16_t)word;
        return true;
    case IMM:
        if (!pack_number(to, value, UINT32_MAX, &word))
            return false;
        to->wr->target.imm = (uint32_t)word;
        to->wr->flags |= TERN_WR_IMM;
        return true;
    default:
        return refuse(TERN_ST_BAD_ARGUMENT, to->request);
    }
}

/* Keys without which an operation means nothing. */
static bool is_complete(const struct reading *read)
{
    const unsigned remote = 1u << REMOTE, target = 1u << NODE | 1u << QUEUE;
    const unsigned needs = read->wr->opcode == TERN_WR_SEND ? target : remote;

    return read->wr->opcode && (read->seen & needs) == needs;
}

static bool pack_request(struct reading *to, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;

    if (!PyDict_CheckExact(dict))
        return refuse(TERN_ST_BAD_ARGUMENT, to->request);
    *to->wr = (struct tern_wr){.sges = to->sges};
    while (PyDict_Next(dict, &place, &key, &value)) {
        unsigned name = find_name(key, names, NAMES);

        if (name == NAMES || !pack_pair(to, (enum name)name, value))
            return PyErr_Occurred() ? false : refuse(TERN_ST_BAD_ARGUMENT, to->request);
        to->seen |= 1u << name;
    }
    return is_complete(to) || refuse(TERN_ST_BAD_ARGUMENT, to->request);
}

bool list_pack(PyObject *list, struct packed *packed)
{
    PyObject *const *item;
    Py_ssize_t count;

    if (!requests(list, &item, &count))
        return false;
    packed->segments = 0;
    packed->requests = (unsigned)count;
    for (unsigned i = 0; i < packed->requests; i++) {
        struct reading to = {.packed = packed, .wr = &packed->wr[i],
                             .sges = &packed->sges[packed->segments], .request = i};

        if (!pack_request(&to, item[i]))
            return false;
        to.wr->next = i + 1 < packed->requests ? to.wr + 1 : NULL;
    }
    return true;
}
