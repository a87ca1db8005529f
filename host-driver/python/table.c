/* SPDX-License-Identifier: Apache-2.0 */
/* tern.Table: a hash table in registered memory, in which other nodes look keys up. */
#include "tern_py.h"

struct py_table {
    PyObject_HEAD
    struct py_region *region;
    struct tern_table table;
};

static struct py_table *of(PyObject *object)
{
    return (struct py_table *)(void *)object;
}

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    static char *words[] = {"region", "log2_buckets", "room", NULL};
    struct py_region *region;
    struct py_table *self;
    unsigned log2_buckets, room = 256;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O!I|I", words, &py_region_type, &region,
                                     &log2_buckets, &room) ||
        !py_region_there(region))
        return NULL;
    self = of(type->tp_alloc(type, 0));
    if (!self)
        return NULL;
    Py_INCREF(region);
    self->region = region;
    status = region->memory.readonly
                 ? -TERN_ST_BAD_RIGHTS
                 : tern_table_init(&self->table, region->memory.buf, (size_t)region->memory.len,
                                   log2_buckets, room);
    if (status) {
        Py_DECREF(self);
        return py_raise(status);
    }
    return (PyObject *)self;
}

static void table_dealloc(PyObject *object)
{
    Py_DECREF(of(object)->region);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *table_set(PyObject *self, PyObject *args)
{
    Py_buffer key, value;
    int status = 0;
    bool there;

    if (!PyArg_ParseTuple(args, "y*y*", &key, &value))
        return NULL;
    there = py_region_there(of(self)->region);
    if (there)
        status = tern_table_set(&of(self)->table, key.buf, (size_t)key.len, value.buf,
                                (size_t)value.len);
    PyBuffer_Release(&key);
    PyBuffer_Release(&value);
    return there ? py_none_or(status) : NULL;
}

static PyObject *table_remove(PyObject *self, PyObject *args)
{
    Py_buffer key;
    int status = 0;
    bool there;

    if (!PyArg_ParseTuple(args, "y*", &key))
        return NULL;
    there = py_region_there(of(self)->region);
    if (there)
        status = tern_table_remove(&of(self)->table, key.buf, (size_t)key.len);
    PyBuffer_Release(&key);
    return there ? py_none_or(status) : NULL;
}

static PyMethodDef table_methods[] = {
    {"set", table_set, METH_VARARGS, "set(key, value): replaces an earlier value."},
    {"remove", table_remove, METH_VARARGS, "remove(key): NOT_FOUND."},
    {NULL, NULL, 0, NULL}};

PyTypeObject py_table_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Table",
    .tp_doc = "Table(region, log2_buckets, room=256): an empty table in all of the region;\n"
              "lookups of other nodes copy `room` bytes at most.",
    .tp_basicsize = sizeof(struct py_table),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = table_new,
    .tp_dealloc = table_dealloc,
    .tp_methods = table_methods,
};
