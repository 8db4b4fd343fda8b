"""Programs of the set that work on matrices and rows, in Halide: the algorithm only, no schedule.

Each function has the name of its program and takes what halide_compile.py knows of the program's text: `p.n` is the
value of a uniform, `p.input(name, extents)` a buffer, innermost dimension first. It returns its outputs: the buffer, or
the buffers of a tuple, the Func, and the extents. A buffer that is read and written is an input and an output.

Not here: spmv, because the bounds of a reduction cannot depend on what was loaded.
"""
import halide as hl
from halide_terms import c, func, total, x, y, zero


def row_sums(name, a, v, n):
    """a v"""
    r = hl.RDom([(0, n)])
    return total(name, x, a[r, x] * v[r])


def column_sums_of(name, a, v, m):
    """aT v"""
    r = hl.RDom([(0, m)])
    return total(name, x, a[x, r] * v[r])


def matvec(p):
    a, v = p.input("a", p.n, p.m), p.input("x", p.n)
    return [("y", row_sums("y", a, v, p.n), [p.m])]


def matvec_transposed(p):
    a, v = p.input("a", p.n, p.m), p.input("x", p.m)
    return [("y", column_sums_of("y", a, v, p.m), [p.n])]


def column_sums(p):
    a, r = p.input("a", p.n, p.m), hl.RDom([(0, p.m)])
    return [("sums", total("sums", x, a[x, r]), [p.n])]


def mvt(p):
    a, n = p.input("a", p.n, p.n), p.n
    x1, x2 = p.input("x1", n), p.input("x2", n)
    along = row_sums("along", a, p.input("y1", n), n)
    across = column_sums_of("across", a, p.input("y2", n), n)
    return [("x1", func("out1", x, x1[x] + along[x]), [n]), ("x2", func("out2", x, x2[x] + across[x]), [n])]


def bicg(p):
    a, n = p.input("a", p.n, p.n), p.n
    along = row_sums("q", a, p.input("p", n), n)
    across = column_sums_of("s", a, p.input("r", n), n)
    return [("q", along, [n]), ("s", across, [n])]


def gesummv(p):
    n, v = p.n, p.input("x", p.n)
    first = row_sums("first", p.input("a", n, n), v, n)
    second = row_sums("second", p.input("b", n, n), v, n)
    return [("y", func("y", x, p.alpha * first[x] + p.beta * second[x]), [n])]


def product(name, a, b, k):
    r = hl.RDom([(0, k)])
    return total(name, (x, y), a[r, y] * b[x, r])


def gemm_1024(p):
    a, b = p.input("a", p.k, p.m), p.input("b", p.n, p.k)
    return [("c", product("c", a, b, p.k), [p.n, p.m])]


def gemm_scaled(p):
    a, b, before = p.input("a", p.k, p.m), p.input("b", p.n, p.k), p.input("c", p.n, p.m)
    ab = product("ab", a, b, p.k)
    return [("c", func("c", (x, y), p.alpha * ab[x, y] + p.beta * before[x, y]), [p.n, p.m])]


def syrk(p):
    a, before, r = p.input("a", p.k, p.n), p.input("c", p.n, p.n), hl.RDom([(0, p.k)])
    aa = total("aa", (x, y), a[r, y] * a[r, x])
    after = p.alpha * aa[x, y] + p.beta * before[x, y]
    return [("c", func("c", (x, y), hl.select(x <= y, after, before[x, y])), [p.n, p.n])]


def trmv(p):
    lower, v, r = p.input("l", p.n, p.n), p.input("x", p.n), hl.RDom([(0, p.n)])
    r.where(r.x <= x)
    return [("y", total("y", x, lower[r.x, x] * v[r.x]), [p.n])]


def trmm(p):
    lower, b, r = p.input("l", p.n, p.n), p.input("b", p.m, p.n), hl.RDom([(0, p.n)])
    r.where(r.x <= y)
    return [("c", total("c", (x, y), lower[r.x, y] * b[x, r.x]), [p.m, p.n])]


def covariance(p):
    table, mean, r = p.input("x", p.m, p.samples), p.input("mean", p.m), hl.RDom([(0, p.samples)])
    centred = func("centred", (x, y), table[x, y] - mean[x])
    squares = total("squares", (x, y), centred[y, r] * centred[x, r])
    return [("cov", func("cov", (x, y), squares[x, y] / hl.f32(p.samples - 1)), [p.m, p.m])]


def transpose(p):
    a = p.input("a", p.w, p.h)
    return [("t", func("t", (x, y), a[y, x]), [p.h, p.w])]


# Rows.


def exponentials(name, scores, n):
    """exp(scores - the largest of the row), and their sums."""
    r, s = hl.RDom([(0, n)]), hl.RDom([(0, n)])
    largest = func(name + "_largest", y, scores[0, y])
    largest[y] = hl.max(largest[y], scores[r, y])
    weights = func(name, (x, y), hl.exp(scores[x, y] - largest[y]))
    return weights, total(name + "_sum", y, weights[s, y])


def softmax(p):
    weights, sums = exponentials("weights", p.input("x", p.n, p.rows), p.n)
    return [("y", func("y", (x, y), weights[x, y] / sums[y]), [p.n, p.rows])]


def attention(p):
    q, k, v = p.input("q", p.d, p.queries), p.input("k", p.d, p.keys), p.input("v", p.d, p.keys)
    i, j = hl.RDom([(0, p.d)]), hl.RDom([(0, p.keys)])
    dots = total("dots", (x, y), q[i, y] * k[i, x])
    scores = func("scores", (x, y), dots[x, y] * p.scale)
    weights, sums = exponentials("weights", scores, p.keys)
    values = total("values", (x, y), weights[j, y] * v[x, j])
    out = func("out", (x, y), values[x, y] / sums[y])
    return [("scores", weights, [p.keys, p.queries]), ("out", out, [p.d, p.queries])]


def layer_norm(p):
    data, weight, bias = p.input("x", p.n, p.rows), p.input("weight", p.n), p.input("bias", p.n)
    r, s = hl.RDom([(0, p.n)]), hl.RDom([(0, p.n)])
    mean = func("mean", y, total("sums", y, data[r, y])[y] / hl.f32(p.n))
    away = func("away", (x, y), data[x, y] - mean[y])
    squares = total("squares", y, away[s, y] * away[s, y])
    scale = func("scale", y, 1 / hl.sqrt(squares[y] / hl.f32(p.n) + 1e-5))
    return [("y", func("y", (x, y), away[x, y] * scale[y] * weight[x] + bias[x]), [p.n, p.rows])]


def row_extremes(p):
    data, r = p.input("x", p.n, p.rows), hl.RDom([(1, p.n - 1)])
    both = func("both", x, (data[0, x], data[0, x]))
    both[x] = (hl.min(both[x][0], data[r, x]), hl.max(both[x][1], data[r, x]))
    return [(("least", "most"), both, [p.rows])]


def prefix_sums(p):
    data, r = p.input("x", p.n, p.rows), hl.RDom([(1, p.n - 1)])
    sums = func("sums", (x, y), data[x, y])
    sums[r, y] = sums[r - 1, y] + data[r, y]
    return [("y", sums, [p.n, p.rows])]


def argmax_rows(p):
    data, r = p.input("x", p.n, p.rows), hl.RDom([(0, p.n)])
    return [("where", func("where", y, hl.u32(hl.argmax(data[r, y])[0])), [p.rows])]


def kmeans(p):
    points, centres = p.input("points", p.d, p.n), p.input("centres", p.d, p.clusters)
    r, s = hl.RDom([(0, p.d)]), hl.RDom([(0, p.clusters)])
    away = points[r, x] - centres[r, c]
    distances = total("distances", (c, x), away * away)
    return [("label", func("label", x, hl.u32(hl.argmin(distances[s, x])[0])), [p.n])]


def pairwise_distances(p):
    a, b, r = p.input("a", p.d, p.n), p.input("b", p.d, p.m), hl.RDom([(0, p.d)])
    away = a[r, y] - b[r, x]
    squares = total("squares", (x, y), away * away)
    return [("distance", func("distance", (x, y), hl.sqrt(squares[x, y])), [p.m, p.n])]


def nbody(p):
    px, py, pz, mass = (p.input(name, p.n) for name in ("x", "y", "z", "mass"))
    r = hl.RDom([(0, p.n)])
    dx, dy, dz = px[r] - px[x], py[r] - py[x], pz[r] - pz[x]
    inverse = 1 / hl.sqrt(dx * dx + dy * dy + dz * dz + hl.f32(0.01))
    pull = mass[r] * inverse * inverse * inverse
    forces = func("forces", x, (zero, zero, zero))
    sums = forces[x]
    forces[x] = (sums[0] + pull * dx, sums[1] + pull * dy, sums[2] + pull * dz)
    return [(("ax", "ay", "az"), forces, [p.n])]


def nbody_cutoff(p):
    px, py, pz, mass = (p.input(name, p.n) for name in ("x", "y", "z", "mass"))
    r = hl.RDom([(0, p.n)])
    dx, dy, dz = px[r] - px[x], py[r] - py[x], pz[r] - pz[x]
    d = dx * dx + dy * dy + dz * dz
    fade = hl.select(d < hl.f32(0.1), 1 - 10 * d, zero)
    inverse = 1 / hl.sqrt(d + hl.f32(0.01))
    pull = mass[r] * fade * fade * inverse * inverse * inverse
    forces = func("forces", x, (zero, zero, zero))
    sums = forces[x]
    forces[x] = (sums[0] + pull * dx, sums[1] + pull * dy, sums[2] + pull * dz)
    return [(("ax", "ay", "az"), forces, [p.n])]


def nearest(p):
    px, py = p.input("x", p.n), p.input("y", p.n)
    site_x, site_y, name = (p.input(name, p.sites) for name in ("site_x", "site_y", "name"))
    r = hl.RDom([(0, p.sites)])
    dx, dy = site_x[r] - px[x], site_y[r] - py[x]
    best = hl.argmin(dx * dx + dy * dy)
    return [("label", func("label", x, name[hl.clamp(best[0], 0, p.sites - 1)]), [p.n])]
