"""Programs of the set that work on fields and elements, in Halide: as in halide_matrices.py."""
import halide as hl
from halide_terms import c, edge, func, inside, total, x, y, z, zero


def blur(p):
    image, r = edge(p.input("image", p.w, p.h), p.w, p.h), hl.RDom([(-2, 5), (-2, 5)])
    sums = total("sums", (x, y), image[x + r.x, y + r.y])
    return [("out", func("out", (x, y), sums[x, y] / 25), [p.w, p.h])]


def sobel(p):
    i = edge(p.input("image", p.w, p.h), p.w, p.h)
    across = i[x + 1, y - 1] + 2 * i[x + 1, y] + i[x + 1, y + 1] - i[x - 1, y - 1] - 2 * i[x - 1, y] - i[x - 1, y + 1]
    down = i[x - 1, y + 1] + 2 * i[x, y + 1] + i[x + 1, y + 1] - i[x - 1, y - 1] - 2 * i[x, y - 1] - i[x + 1, y - 1]
    slope = hl.select(inside((x, p.w), (y, p.h)), hl.sqrt(across * across + down * down), zero)
    return [("out", func("out", (x, y), slope), [p.w, p.h])]


def conv3x3(p):
    image, weights = p.input("image", p.w, p.h), p.input("filter", 3, 3)
    padded = hl.BoundaryConditions.constant_exterior(image, zero, [(0, p.w), (0, p.h)])
    r = hl.RDom([(0, 3), (0, 3)])
    return [("out", total("out", (x, y), weights[r.x, r.y] * padded[x + r.x - 1, y + r.y - 1]), [p.w, p.h])]


def depthwise_conv(p):
    image = p.input("image", p.w + 2, p.h + 2, p.channels)
    weights, r = p.input("filter", 3, 3, p.channels), hl.RDom([(0, 3), (0, 3)])
    sums = total("out", (x, y, c), weights[r.x, r.y, c] * image[x + r.x, y + r.y, c])
    return [("out", sums, [p.w, p.h, p.channels])]


def conv_layer(p):
    image, bias = p.input("image", p.w + 2, p.h + 2, p.channels), p.input("bias", p.filters)
    weights = p.input("weight", 3, 3, p.channels, p.filters)
    r = hl.RDom([(0, 3), (0, 3), (0, p.channels)])
    sums = total("sums", (x, y, c), weights[r.x, r.y, r.z, c] * image[x + r.x, y + r.y, r.z])
    return [("out", func("out", (x, y, c), hl.max(sums[x, y, c] + bias[c], zero)), [p.w, p.h, p.filters])]


def median3x3(p):
    i = edge(p.input("image", p.w, p.h), p.w, p.h)
    v = [i[x + dx, y + dy] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    for a in range(5):
        for b in range(a + 1, 9):
            v[a], v[b] = hl.min(v[a], v[b]), hl.max(v[a], v[b])
    return [("out", func("out", (x, y), hl.select(inside((x, p.w), (y, p.h)), v[4], i[x, y])), [p.w, p.h])]


def bilinear_upsample(p):
    image = edge(p.input("image", p.w, p.h), p.w, p.h)

    def place(at):
        fine = hl.max(hl.f32(at) * 0.5 - 0.25, zero)
        return hl.i32(fine), fine - hl.f32(hl.i32(fine))

    (x0, tx), (y0, ty) = place(x), place(y)
    above = image[x0, y0] * (1 - tx) + image[x0 + 1, y0] * tx
    below = image[x0, y0 + 1] * (1 - tx) + image[x0 + 1, y0 + 1] * tx
    return [("out", func("out", (x, y), above * (1 - ty) + below * ty), [2 * p.w, 2 * p.h])]


def jacobi2d(p):
    u = edge(p.input("u", p.w, p.h), p.w, p.h)
    mean = 0.2 * (u[x, y] + u[x - 1, y] + u[x + 1, y] + u[x, y - 1] + u[x, y + 1])
    return [("v", func("v", (x, y), hl.select(inside((x, p.w), (y, p.h)), mean, u[x, y])), [p.w, p.h])]


def heat3d(p):
    n = p.n
    u = edge(p.input("u", n, n, n), n, n, n)
    here = u[x, y, z]
    along_x = u[x - 1, y, z] - 2 * here + u[x + 1, y, z]
    along_y = u[x, y - 1, z] - 2 * here + u[x, y + 1, z]
    along_z = u[x, y, z - 1] - 2 * here + u[x, y, z + 1]
    after = 0.125 * along_x + 0.125 * along_y + 0.125 * along_z + here
    return [("v", func("v", (x, y, z), hl.select(inside((x, n), (y, n), (z, n)), after, here)), [n, n, n])]


def mandelbrot(p):
    r = hl.RDom([(0, p.limit)])
    cx, cy = hl.f32(x) / hl.f32(p.w) * 3 - 2, hl.f32(y) / hl.f32(p.h) * 2 - 1
    state = func("state", (x, y), (zero, zero, hl.u32(0)))
    zx, zy, count = (state[x, y][i] for i in range(3))
    goes_on = (zx * zx + zy * zy <= 4) & (r.x >= 0)
    state[x, y] = (
        hl.select(goes_on, zx * zx - zy * zy + cx, zx),
        hl.select(goes_on, 2 * zx * zy + cy, zy),
        hl.select(goes_on, count + 1, count),
    )
    return [("steps", func("steps", (x, y), state[x, y][2]), [p.w, p.h])]


# Elements.


def histogram(p):
    words, before, r = p.input("x", p.n), p.input("bins", 256), hl.RDom([(0, p.n)])
    bins = func("bins", x, before[x])
    bins[hl.clamp(hl.i32(words[r] & 255), 0, 255)] += hl.u32(1)
    return [("bins", bins, [256])]


def grid_counts(p):
    px, py, before = p.input("x", p.n), p.input("y", p.n), p.input("counts", 1024)
    r = hl.RDom([(0, p.n)])
    column, row = (hl.clamp(hl.i32((at[r] + 1) * 16), 0, 31) for at in (px, py))
    counts = func("counts", x, before[x])
    counts[row * 32 + column] += hl.u32(1)
    return [("counts", counts, [1024])]


def vector_norm(p):
    data, r = p.input("x", p.n), hl.RDom([(0, p.n)])
    squares = total("squares", x, data[r] * data[r])
    return [("norm", func("norm", x, hl.sqrt(squares[x])), [1])]


def batch_norm(p):
    data = p.input("x", p.size, p.channels, p.batch)
    mean, variance, weight, bias = (p.input(name, p.channels) for name in ("mean", "variance", "weight", "bias"))
    value = (data[x, c, z] - mean[c]) / hl.sqrt(variance[c] + 1e-5) * weight[c] + bias[c]
    return [("y", func("y", (x, c, z), value), [p.size, p.channels, p.batch])]


def horner(p):
    data, coefficients, value = p.input("x", p.n), p.input("c", 16), zero
    for k in range(16):
        value = value * data[x] + coefficients[15 - k]
    return [("y", func("y", x, value), [p.n])]


def gelu(p):
    v = p.input("x", p.n)[x]
    return [("y", func("y", x, 0.5 * v * (1 + hl.tanh(0.7978846 * (v + 0.044715 * v * v * v)))), [p.n])]


def rgb_to_gray(p):
    pixel = p.input("rgb", p.n)[x]
    r, g, b = pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255
    return [("gray", func("gray", x, (77 * r + 150 * g + 29 * b) / 256), [p.n])]


def black_scholes(p):
    price, strike, years = (p.input(name, p.n)[x] for name in ("price", "strike", "years"))

    def normal(d):
        k = 1 / (1 + 0.2316419 * hl.abs(d))
        sum = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        tail = 0.39894228 * hl.exp(-0.5 * d * d) * sum
        return hl.select(d > 0, 1 - tail, tail)

    width = p.volatility * hl.sqrt(years)
    d1 = (hl.log(price / strike) + (p.rate + 0.5 * p.volatility * p.volatility) * years) / width
    below1, below2 = normal(d1), normal(d1 - width)
    discounted = strike * hl.exp(-p.rate * years)
    call = price * below1 - discounted * below2
    put = discounted * (1 - below2) - price * (1 - below1)
    return [(("call", "put"), func("prices", x, (call, put)), [p.n])]


def axpby(p):
    before = p.input("y", p.n)
    return [("y", func("after", x, p.a * p.input("x", p.n)[x] + p.b * before[x]), [p.n])]


def complex_multiply(p):
    a, b = p.input("a", 2, p.n), p.input("b", 2, p.n)
    real = a[0, x] * b[0, x] - a[1, x] * b[1, x]
    imaginary = a[0, x] * b[1, x] + a[1, x] * b[0, x]
    return [("c", func("out", (c, x), hl.select(c == 0, real, imaginary)), [2, p.n])]


def hash_bits(p):
    h = p.input("x", p.n)[x]
    h = (h ^ (h >> 16)) * hl.u32(0x85EBCA6B)
    h = (h ^ (h >> 13)) * hl.u32(0xC2B2AE35)
    return [("bits", func("bits", x, hl.popcount(h ^ (h >> 16))), [p.n])]


def monte_carlo(p):
    r = hl.RDom([(0, p.points)])
    state = func("state", x, (hl.u32(0), hl.u32(x) * hl.u32(747796405) + hl.u32(2891336453)))
    count, s = state[x][0], state[x][1] ^ hl.u32(r.x * 0)  # a scan needs its variable in it
    s = s ^ (s << 13)
    s = s ^ (s >> 17)
    s = s ^ (s << 5)
    px, py = s & 0x7FFF, s >> 17
    state[x] = (count + hl.select(px * px + py * py < 0x40000000, hl.u32(1), hl.u32(0)), s)
    return [("hits", func("hits", x, state[x][0]), [p.n])]
