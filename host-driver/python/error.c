/* SPDX-License-Identifier: Apache-2.0 */
/* tern.Error: a status of the library as an exception. */
#include "tern_py.h"

PyObject *py_error;

struct error {
    PyBaseExceptionObject base;
    int status;
    Py_ssize_t request; /* of a call: number of the refused request; -1: none */
};

static int error_init(PyObject *self, PyObject *args, PyObject *names)
{
    struct error *error = (struct error *)(void *)self;
    int status = 0;
    Py_ssize_t request = -1;

    if (names && PyDict_GET_SIZE(names)) {
        PyErr_SetString(PyExc_TypeError, "tern.Error takes no names of arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "i|n", &status, &request))
        return -1;
    error->status = status < 0 ? -status : status;
    error->request = request;
    return ((PyTypeObject *)PyExc_Exception)->tp_init(self, args, NULL);
}

static PyObject *error_str(PyObject *self)
{
    const struct error *error = (const struct error *)(void *)self;

    if (error->request >= 0)
        return PyUnicode_FromFormat("%s (request %zd)", tern_strerror(error->status),
                                    error->request);
    return PyUnicode_FromString(tern_strerror(error->status));
}

static PyObject *error_status(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((const struct error *)(void *)self)->status);
}

static PyObject *error_request(PyObject *self, void *unused)
{
    const struct error *error = (const struct error *)(void *)self;

    (void)unused;
    if (error->request < 0)
        Py_RETURN_NONE;
    return PyLong_FromSsize_t(error->request);
}

static PyGetSetDef error_fields[] = {
    {"status", error_status, NULL, "the status, one of tern.ST_*", NULL},
    {"request", error_request, NULL, "number of the refused request of a call, or None", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyTypeObject error_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Error",
    .tp_doc = "Error(status): a call of the library failed.",
    .tp_basicsize = sizeof(struct error),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, /* collected as its base is */
    .tp_init = error_init,
    .tp_str = error_str,
    .tp_getset = error_fields,
};

bool py_error_make(void)
{
    error_type.tp_base = (PyTypeObject *)PyExc_Exception;
    if (PyType_Ready(&error_type))
        return false;
    py_error = (PyObject *)&error_type;
    return true;
}

PyObject *py_raise_request(int status, Py_ssize_t request)
{
    PyObject *error;

    if (status == -TERN_ST_NO_MEMORY)
        return PyErr_NoMemory();
    error = PyObject_CallFunction(py_error, "in", status, request);
    if (error) {
        PyErr_SetObject(py_error, error);
        Py_DECREF(error);
    }
    return NULL;
}

PyObject *py_raise(int status)
{
    return py_raise_request(status, -1);
}

PyObject *py_none_or(int status)
{
    if (status < 0)
        return py_raise(status);
    return Py_NewRef(Py_None);
}
