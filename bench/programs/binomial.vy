// What a European call is worth by a binomial tree: values of all nodes of a day, from the last day back.
program binomial {
  uniform n: u32 = 4096
  uniform steps: u32 = 256
  buffer price: f32[n] read
  buffer strike: f32[n] read
  buffer out: f32[n] write
  private v: f32[257]
  grid n
  reassociate

  let s = price[invocation.x]
  let k = strike[invocation.x]
  let up = 1.0125
  let q = 0.4975
  for i in 0 .. steps + 1 {
    v[i] = max(s * pow(up, 2.0 * f32(i) - f32(steps)) - k, 0.0)
  }
  for t in 0 .. steps {
    for i in 0 .. steps - t {
      v[i] = 0.9999 * (q * v[i + 1] + (1.0 - q) * v[i])
    }
  }
  out[invocation.x] = v[0]
}
