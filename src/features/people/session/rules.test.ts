import { expect, test } from 'vitest'
import { deviceOf } from '#platform/http/device-name.ts'
import { FRESH_PROOF_MS, isFresh } from './rules.ts'

const NAMES: readonly (readonly [string, string, string])[] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Chrome',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Chrome',
    'ChromeOS',
  ],
  ['curl/8.9.1', 'curl', ''],
  ['', '', ''],
  [`${'<script>'.repeat(50)}`, '', ''],
]

test('a device is named by browser and system, without versions', () => {
  for (const [userAgent, browser, system] of NAMES)
    expect(deviceOf(userAgent)).toEqual({ browser, system })
})

test('a proof is fresh for ten minutes, and never for what came with the token of an address', () => {
  const provedAt = new Date('2026-11-24T10:00:00Z')
  const after = (milliseconds: number) => new Date(provedAt.getTime() + milliseconds)
  expect(isFresh({ provedAt, via: 'cookie' }, after(FRESH_PROOF_MS))).toBe(true)
  expect(isFresh({ provedAt, via: 'cookie' }, after(FRESH_PROOF_MS + 1))).toBe(false)
  expect(isFresh({ provedAt, via: 'handle' }, after(0))).toBe(false)
})
