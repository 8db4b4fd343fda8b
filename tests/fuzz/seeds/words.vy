program words { // one of each
  uniform flag: bool = true
  buffer d: f64[8 * 16 % 7 + min(3, 4) - max(1, 2)] read_write
  buffer b: bool[64] read
  buffer c: i32[64] read_write
  buffer v: f32[256] read_write
  grid 8, 8
  workgroup 4, 4
  region "head" {
    var t = -7i
    t = t << 2i | ~t & (c[0] ^ 3i) >> 1i
    t <<= 1i
    c[2] -= t
    c[3] = popcount(t) - clz(c[2])
    atomic c[1] += i32(local.y) - t * 2i / 3i % 5i
  }
  let w = [1.0, -2.5, f32.inf, f32.nan]
  v[invocation.x : 4] = select(w > splat4(0.5), abs(w), sqrt(exp(log(w))))
  if b[group.y] { d[0] = f64(w.1) * 1e-300d } else if !(flag == false) { d[1] = -f64.inf }
  for k in 0 .. groups.x step 2 { c[k + 8] = as_i32(v[k : 2].0) }
  v[66] = sum(w) + min(max(w), min(w))
  v[65] = sin(pow(1.5, cos(0.5))) + tan(tanh(rsqrt(exp2(log2(2.0))))) - floor(ceil(round(2.5)))
  v[64] = as_f32(0xff + grid.y)
}
