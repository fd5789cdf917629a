import { describe, expect, test } from 'vitest'
import { createLogger, type LogOptions } from './log.ts'
import { redact } from './redaction.ts'
import { secret } from './secret.ts'

function capture(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    write: (line) => lines.push(line),
    now: () => new Date('2026-02-03T04:05:06.789Z'),
    ...options,
  })
  return { log, lines }
}

test('a line is one JSON object with time, level, message and fields', () => {
  const { log, lines } = capture()
  log.info('page served', { status: 200, bytes: 12n })
  expect(lines).toEqual([
    '{"at":"2026-02-03T04:05:06.789Z","level":"info","message":"page served","status":200,"bytes":"12"}\n',
  ])
})

test('lines under the level are left out', () => {
  const { log, lines } = capture({ level: 'warn' })
  log.debug('a')
  log.info('b')
  log.warn('c')
  log.error('d')
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['c', 'd'])
})

test('a child logger adds its fields, and fields cannot forge the level or the time', () => {
  const { log, lines } = capture()
  log.child({ requestId: 'r1' }).child({ route: '/' }).info('x', { level: 'error', at: 'never' })
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    at: '2026-02-03T04:05:06.789Z',
    level: 'info',
    message: 'x',
    requestId: 'r1',
    route: '/',
  })
})

describe('secrets', () => {
  test('fields named like secrets are masked at any depth', () => {
    expect(
      redact({
        token: 'abc',
        accessToken: 'abc',
        password: 'p',
        Authorization: 'x',
        'Set-Cookie': 'a=b',
        cookie: 'c',
        'api-key': 'k',
        user: { passwordHash: 'kept', password: 'p', list: [{ token: 't' }] },
      }),
    ).toEqual({
      token: '***',
      accessToken: '***',
      password: '***',
      Authorization: '***',
      'Set-Cookie': '***',
      cookie: '***',
      'api-key': '***',
      user: { passwordHash: 'kept', password: '***', list: [{ token: '***' }] },
    })
  })

  test('token parameters in addresses and passwords in URLs are masked, in fields, messages and errors', () => {
    const { log, lines } = capture()
    log.error('GET /orders?token=s3cret&page=2', {
      url: '/x?a=1&reset_token=s3cret#end',
      database: 'postgres://shop:s3cret@db/shop',
      header: 'Bearer s3cret',
      error: new Error('failed at https://x/?token=s3cret', {
        cause: new Error('token: ?password=s3cret'),
      }),
    })
    const text = lines.join('')
    expect(text).not.toContain('s3cret')
    expect(text).toContain('/orders?token=***&page=2')
    expect(text).toContain('postgres://shop:***@db/shop')
  })

  test('wrapped secrets and headers stay masked', () => {
    expect(
      redact({
        databaseUrl: secret('postgres://a:b@c/d'),
        headers: new Headers({ cookie: 'a', accept: 'text/html' }),
      }),
    ).toEqual({ databaseUrl: '***', headers: { cookie: '***', accept: 'text/html' } })
  })
})

test('circular and deep values, bytes and functions do not break a line', () => {
  const circle: Record<string, unknown> = { bytes: new Uint8Array(3), call: () => 1 }
  circle.self = circle
  const { log, lines } = capture()
  log.info('x', circle)
  expect(JSON.parse(lines[0] ?? '').bytes).toBe('(3 bytes)')
})

test('a person sees one short line, with line breaks in messages made harmless', () => {
  const { log, lines } = capture({ pretty: true })
  log.warn('odd\nheader', { path: '/cards', note: 'two words' })
  expect(lines).toEqual(['04:05:06.789 WARN  odd header path=/cards note="two words"\n'])
})
