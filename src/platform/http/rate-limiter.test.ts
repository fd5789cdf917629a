import { describe, expect, test } from 'vitest'
import { createLimit, createRateLimits } from './rate-limiter.ts'
import { networkOf } from './visitor.ts'

const visitor = (address: string) => ({ address, network: networkOf(address) })

function limits(isOn = true) {
  const clock = { ms: 1_000_000 }
  return { clock, take: createRateLimits({ isOn, now: () => clock.ms }) }
}

describe('a class of requests', () => {
  test.each([
    ['read', 2_000, 5],
    ['write', 100, 100],
    ['sign-in', 300, 200],
    ['code', 100, 6_000],
    ['costly', 60, 1_000],
  ] as const)('%s allows %i at once, then one in %i ms', (name, burst, interval) => {
    const { clock, take } = limits()
    const caller = visitor('203.0.113.9')
    for (let n = 0; n < burst; n += 1) expect(take(name, caller)).toBe(0)
    expect(take(name, caller)).toBe(Math.ceil(interval / 1_000))
    clock.ms += interval
    expect(take(name, caller)).toBe(0)
    expect(take(name, caller)).toBeGreaterThan(0)
  })

  test('tells how long to wait, and refused requests do not lengthen it', () => {
    const { clock, take } = limits()
    const caller = visitor('203.0.113.9')
    for (let n = 0; n < 100; n += 1) take('code', caller)
    for (let n = 0; n < 50; n += 1) expect(take('code', caller)).toBe(6)
    clock.ms += 4_000
    expect(take('code', caller)).toBe(2)
    clock.ms += 2_000
    expect(take('code', caller)).toBe(0)
  })

  test('is whole again after its period, and no more than whole', () => {
    const { clock, take } = limits()
    const caller = visitor('203.0.113.9')
    for (const pause of [60_000, 86_400_000]) {
      for (let n = 0; n < 300; n += 1) expect(take('sign-in', caller)).toBe(0)
      expect(take('sign-in', caller)).toBeGreaterThan(0)
      clock.ms += pause
    }
  })
})

describe('a caller', () => {
  test('of IPv4 is an address, of IPv6 a /56', () => {
    const { take } = limits()
    const use = (address: string) => {
      for (let n = 0; n < 300; n += 1) take('sign-in', visitor(address))
    }
    use('203.0.113.9')
    expect(take('sign-in', visitor('203.0.113.9'))).toBeGreaterThan(0)
    expect(take('sign-in', visitor('203.0.113.10'))).toBe(0)
    use('2001:db8:1:2ff::1')
    expect(take('sign-in', visitor('2001:db8:1:201:9:9:9:9'))).toBeGreaterThan(0)
    expect(take('sign-in', visitor('2001:db8:1:301::1'))).toBe(0)
  })

  test('with a whole site of IPv6 counts as eight and no more', () => {
    const { take } = limits()
    let taken = 0
    for (let network = 0; network < 256; network += 1)
      for (let n = 0; n < 100; n += 1)
        if (take('sign-in', visitor(`2001:db8:7:${(network * 256).toString(16)}::${n}`)) === 0)
          taken += 1
    expect(taken).toBe(8 * 300)
    expect(take('sign-in', visitor('2001:db8:8::1'))).toBe(0)
  })

  test('who is signed in is counted as a person when writing, by address when signing in', () => {
    const { take } = limits()
    for (let n = 0; n < 100; n += 1)
      expect(take('write', visitor(`203.0.113.${n}`), 'anna')).toBe(0)
    expect(take('write', visitor('198.51.100.1'), 'anna')).toBeGreaterThan(0)
    expect(take('write', visitor('198.51.100.1'), 'bert')).toBe(0)
    expect(take('write', visitor('198.51.100.1'))).toBe(0)
    for (let n = 0; n < 300; n += 1) take('sign-in', visitor('198.51.100.1'), `account ${n}`)
    expect(take('sign-in', visitor('198.51.100.1'), 'carl')).toBeGreaterThan(0)
  })

  test('has one allowance a class', () => {
    const { take } = limits()
    for (let n = 0; n < 300; n += 1) take('sign-in', visitor('203.0.113.9'))
    expect(take('sign-in', visitor('203.0.113.9'))).toBeGreaterThan(0)
    expect(take('read', visitor('203.0.113.9'))).toBe(0)
  })
})

test('a million callers do not fill the memory, and who calls often is not forgotten among them', () => {
  const take = createLimit(1e12, 3, 1_000)
  for (let n = 0; n < 3; n += 1) expect(take('busy', 0)).toBe(0)
  const before = process.memoryUsage().heapUsed
  let passed = 0
  for (let n = 0; n < 1_000_000; n += 1) {
    take(`other ${n}`, 0)
    if (n % 500 === 0 && take('busy', 0) === 0) passed += 1
  }
  expect(passed).toBe(0)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200e6)
})

test('switched off, nothing is counted', () => {
  const { take } = limits(false)
  for (let n = 0; n < 5_000; n += 1) expect(take('code', visitor('203.0.113.9'))).toBe(0)
})
