import { expect, test } from 'vitest'
import { isLoopbackHost } from './loopback.ts'

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  '127.0.0.1',
  '127.8.9.1',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
})

test.each([
  '',
  'shop.example',
  'localhost.example',
  'mylocalhost',
  '127.0.0.1.example',
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '192.168.1.2',
  '[::2]',
  '128.0.0.1',
  '127.1',
  '::ffff:7f00:1',
])('%s is not surely this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(false)
})
