import { expect, test } from 'vitest'
import { networkOf, parseProxies, siteOf, visitorOf } from './visitor.ts'

const from = (peer: string, forwarded: string | undefined, trusted: string): string =>
  visitorOf(
    {
      socket: { remoteAddress: peer } as never,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    },
    parseProxies(trusted),
  ).address

test('who is no proxy of ours says nothing of where a request comes from', () => {
  expect(from('203.0.113.9', '198.51.100.7', '')).toBe('203.0.113.9')
  expect(from('203.0.113.9', '198.51.100.7', '127.0.0.1')).toBe('203.0.113.9')
  expect(from('::ffff:203.0.113.9', '198.51.100.7', '10.0.0.0/8')).toBe('203.0.113.9')
})

test('of a chain the last address that is no proxy of ours counts, whatever a client wrote before it', () => {
  expect(from('127.0.0.1', '198.51.100.7', '127.0.0.1')).toBe('198.51.100.7')
  expect(from('127.0.0.1', '9.9.9.9, 198.51.100.7', '127.0.0.1')).toBe('198.51.100.7')
  expect(from('127.0.0.1', '9.9.9.9, 198.51.100.7, 10.1.2.3', '127.0.0.1, 10.0.0.0/8')).toBe(
    '198.51.100.7',
  )
  expect(from('127.0.0.1', '9.9.9.9, unknown', '127.0.0.1')).toBe('127.0.0.1')
  expect(from('127.0.0.1', undefined, '127.0.0.1')).toBe('127.0.0.1')
})

test('a network is a /24 or a /56, a site a /48 of IPv6', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.0/24')
  expect(networkOf('2001:db8:1:2ff::1')).toBe('2001:db8:1:200::/56')
  expect(networkOf('::1')).toBe('0:0:0:0::/56')
  expect(networkOf('x')).toBe('unknown')
  expect(siteOf('2001:db8:1:200::/56')).toBe('2001:db8:1::/48')
  expect(siteOf('203.0.113.0/24')).toBeNull()
})
