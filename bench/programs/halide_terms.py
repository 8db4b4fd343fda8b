"""What Halide's programs of the set are written with (halide_matrices.py, halide_fields.py)."""
import functools
import operator

import halide as hl

x, y, z, c = hl.Var("x"), hl.Var("y"), hl.Var("z"), hl.Var("c")
zero = hl.f32(0)


def func(name, where, value):
    made = hl.Func(name)
    made[where] = value
    return made


def total(name, where, value):
    """The sum of value over the reduction variables in it."""
    made = func(name, where, zero)
    made[where] += value
    return made


def edge(image, *extents):
    return hl.BoundaryConditions.repeat_edge(image, [(0, extent) for extent in extents])


def inside(*places):
    """Of (variable, extent): not at the border."""
    return functools.reduce(operator.and_, [(at > 0) & (at < extent - 1) for at, extent in places])
