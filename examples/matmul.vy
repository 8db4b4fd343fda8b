// c = a b for matrices m x k and k x n, row major, in tiles of 16 x 16 through shared memory. The sizes
// are multiples of 16.
program matmul {
  uniform m: u32 = 256
  uniform n: u32 = 320
  uniform k: u32 = 192
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] write
  shared at: f32[256]
  shared bt: f32[256]
  grid n, m
  workgroup 16, 16

  let x = local.x
  let y = local.y
  let row = invocation.y
  let col = invocation.x
  var sum = 0.0
  for tile in 0 .. k step 16 {
    region "load" {
      at[y * 16 + x] = a[row * k + tile + x]
      bt[y * 16 + x] = b[(tile + y) * n + col]
    }
    barrier
    region "multiply" {
      for j in 0 .. 16 {
        sum = fma(at[y * 16 + j], bt[j * 16 + x], sum)
      }
    }
    barrier
  }
  c[row * n + col] = sum
}
