import { expect, test } from 'vitest'
import { createLogger } from './log.ts'
import { inRequest } from './request-scope.ts'
import { securityEvent } from './security-log.ts'

function capture() {
  const lines: string[] = []
  const log = createLogger({ level: 'info', write: (line) => lines.push(line) })
  return { log, told: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('an event is one line with its name, the request and its network', () => {
  const { log, told } = capture()
  inRequest({ id: 'r-1', network: '203.0.113.0/24' }, () =>
    securityEvent(log, 'sign_in.failed', { how: 'password', subject: 'ab12' }),
  )
  securityEvent(log, 'sign_in.done', { how: 'passkey', account: 'a-1' })
  expect(told()).toEqual([
    expect.objectContaining({
      level: 'warn',
      message: 'security',
      event: 'sign_in.failed',
      request: 'r-1',
      network: '203.0.113.0/24',
      how: 'password',
      subject: 'ab12',
    }),
    expect.objectContaining({ level: 'info', event: 'sign_in.done', network: '-' }),
  ])
})

test('what a caller has written cannot forge a line of its own', () => {
  const { log, told } = capture()
  securityEvent(log, 'input.refused', { reason: 'x\n{"event":"sign_in.done"}', level: 'info' })
  expect(told()).toEqual([expect.objectContaining({ event: 'input.refused', level: 'warn' })])
})

test('a flood from one network is told by 20 lines a minute, and hides no other network', () => {
  const { log, told } = capture()
  for (let n = 0; n < 500; n += 1)
    securityEvent(log, 'limit.refused', { network: '203.0.113.0/24' }, 1_000)
  securityEvent(log, 'limit.refused', { network: '198.51.100.0/24' }, 1_000)
  expect(told()).toHaveLength(21)
  securityEvent(log, 'limit.refused', { network: '203.0.113.0/24' }, 61_001)
  expect(told().at(-1)).toMatchObject({ network: '203.0.113.0/24', unwritten: 480 })
  securityEvent(log, 'limit.refused', { network: '203.0.113.0/24' }, 61_002)
  expect(told().at(-1)).not.toHaveProperty('unwritten')
})

test('a flood from everywhere is told by 600 lines a minute, and hides no other event', () => {
  const { log, told } = capture()
  for (let n = 0; n < 20_000; n += 1)
    securityEvent(log, 'sign_in.failed', { network: `11.${n >> 8}.${n & 255}.0/24` }, 1_000)
  expect(told()).toHaveLength(600)
  securityEvent(log, 'webhook.refused', { network: '203.0.113.0/24' }, 1_000)
  expect(told()).toHaveLength(601)
})
