// The prices of options to buy and to sell, by Black and Scholes.
program black_scholes {
  uniform n: u32 = 2000000
  uniform rate: f32 = 0.02
  uniform volatility: f32 = 0.3
  buffer price: f32[n] read
  buffer strike: f32[n] read
  buffer years: f32[n] read
  buffer call: f32[n] write
  buffer put: f32[n] write
  grid n
  reassociate

  let i = invocation.x
  let s = price[i]
  let t = years[i]
  let width = volatility * sqrt(t)
  let d1 = (log(s / strike[i]) + (rate + 0.5 * volatility * volatility) * t) / width
  let d2 = d1 - width

  // The normal distribution at d1 and d2 (Abramowitz and Stegun 26.2.17).
  let k1 = 1.0 / (1.0 + 0.2316419 * abs(d1))
  let k2 = 1.0 / (1.0 + 0.2316419 * abs(d2))
  let p1 = k1 * (0.31938153 + k1 * (-0.356563782 + k1 * (1.781477937 + k1 * (-1.821255978 + k1 * 1.330274429))))
  let p2 = k2 * (0.31938153 + k2 * (-0.356563782 + k2 * (1.781477937 + k2 * (-1.821255978 + k2 * 1.330274429))))
  let tail1 = 0.39894228 * exp(-0.5 * d1 * d1) * p1
  let tail2 = 0.39894228 * exp(-0.5 * d2 * d2) * p2
  var below1 = tail1
  if d1 > 0.0 {
    below1 = 1.0 - tail1
  }
  var below2 = tail2
  if d2 > 0.0 {
    below2 = 1.0 - tail2
  }

  let discounted = strike[i] * exp(-rate * t)
  call[i] = s * below1 - discounted * below2
  put[i] = discounted * (1.0 - below2) - s * (1.0 - below1)
}
