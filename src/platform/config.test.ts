import { inspect } from 'node:util'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addressOf, environmentOf, readConfig } from './config.ts'

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('defaults', () => {
  test('an empty environment gives the demo on this machine with the embedded database', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1', port: 3000, dataDirectory: resolve('data'), databaseUrl: undefined, publicUrl: 'http://127.0.0.1:3000',
      role: 'all', demo: true, shopTimeZone: 'UTC', logLevel: 'info', rateLimits: true,
    })
  })

  test('an empty or blank variable counts as absent', () => {
    expect(readConfig({ PORT: '', HOST: ' ', DATABASE_URL: '', DEMO: '' })).toEqual(readConfig({}))
  })

  test('the demo is off by default with an own database or a public address, and can be asked for', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db/shop' }).demo).toBe(false)
    expect(readConfig({ PUBLIC_URL: 'http://localhost:3000' }).demo).toBe(false)
    expect(readConfig({ PUBLIC_URL: 'http://localhost:3000', DEMO: '1' }).demo).toBe(true)
    expect(readConfig({ DEMO: '0' }).demo).toBe(false)
  })

  test('the public address follows host and port', () => {
    expect(readConfig({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
    expect(addressOf('::1', 80)).toBe('http://[::1]:80')
    expect(readConfig({ PUBLIC_URL: 'https://Shop.example/' }).publicUrl).toBe('https://shop.example')
  })
})

describe('faults', () => {
  test('all problems are told at once, one sentence each', () => {
    expect(problemsOf({ PORT: '70000', HOST: 'a b', ROLE: 'web', DEMO: 'yes', SHOP_TIME_ZONE: 'Mars/Base', LOG_LEVEL: 'loud' })).toEqual([
      'PORT must be a whole number from 1 to 65535, not "70000".',
      'HOST must be an IP address or a host name, without a port, not "a b".',
      'DEMO must be 0 or 1, not "yes".',
      'SHOP_TIME_ZONE must be a time zone name like Europe/Berlin or UTC, not "Mars/Base".',
      'LOG_LEVEL must be debug, info, warn or error, not "loud".',
      'ROLE=web needs DATABASE_URL, because only ROLE=all runs the embedded PostgreSQL.',
    ])
  })

  test.each(['0', '-1', '65536', '80.5', '0x50', 'http', '1e3', '٣٠٠٠'])('refuses PORT=%s', (port) => {
    expect(problemsOf({ PORT: port })).toEqual([expect.stringContaining('PORT')])
  })

  test.each(['127.0.0.1:3000', 'http://localhost', '-shop', 'a..b'])('refuses HOST=%s', (host) => {
    expect(problemsOf({ HOST: host })).toEqual([expect.stringContaining('HOST')])
  })

  test.each(['shop.example', 'ftp://shop.example', 'https://shop.example/path', 'https://user@shop.example', 'https://shop.example/?a', 'https://'])(
    'refuses PUBLIC_URL=%s', (url) => {
      expect(problemsOf({ PUBLIC_URL: url })).toEqual([expect.stringContaining('PUBLIC_URL')])
    })

  test.each(['mysql://host/shop', 'postgres://host', 'nonsense', 'postgres://'])('refuses DATABASE_URL=%s', (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([expect.stringContaining('DATABASE_URL')])
  })

  test('a faulty database address is not repeated, since it holds a password', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@host/shop' }).join()).not.toContain('hunter2')
  })

  test.each([['ROLE', 'both'], ['RATE_LIMITS', 'no'], ['DATA_DIR', '~/shop']])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)])
  })

  test('rate limits cannot be off on a public https address, but can elsewhere', () => {
    expect(problemsOf({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://shop.example' })).toEqual([expect.stringContaining('RATE_LIMITS=off')])
    expect(readConfig({ RATE_LIMITS: 'off', PUBLIC_URL: 'http://localhost:3000' }).rateLimits).toBe(false)
  })
})

test('the configuration is frozen', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true)
})

test('the database address is never printed, and can be revealed', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://shop:hunter2@db/shop' })
  expect(`${inspect(config, { depth: 9 })} ${JSON.stringify(config)} ${config.databaseUrl}`).not.toContain('hunter2')
  expect(config.databaseUrl?.reveal()).toBe('postgres://shop:hunter2@db/shop')
})

test('a child process reads the same configuration from the environment made for it', () => {
  const config = readConfig({ PORT: '8080', DATABASE_URL: 'postgres://shop:hunter2@db/shop', ROLE: 'web', DEMO: '1', SHOP_TIME_ZONE: 'Asia/Tokyo' })
  const again = readConfig(environmentOf(config))
  expect({ ...again, databaseUrl: again.databaseUrl?.reveal() }).toEqual({ ...config, databaseUrl: config.databaseUrl?.reveal() })
})
