import { describe, expect, test } from 'vitest'
import { refusePattern } from './patterns.ts'

describe('refusePattern', () => {
  test.each([
    '^\\d{5,10}$',
    '^(?:6|7)\\d+$',
    '^[A-Z0-9]{5}(?:-[A-Z0-9]{5}){2}$',
    '^[^@]+@[^@]+$',
    '^(?:\\+?\\d{8,15})$',
    '^a\\)+$',
  ])('accepts %s', (pattern) => expect(refusePattern(pattern)).toBeNull())
  test.each([
    ['^(a$', /valid/],
    ['\\d+$', /whole/],
    ['^\\d+', /whole/],
    ['^a|b$', /whole/],
    ['^(a+)+$', /repetition/],
    ['^(?:a*)*$', /repetition/],
    ['^((a+)b?){3}$', /repetition/],
    ['^(?:\\w{2,}){2,}$', /repetition/],
    ['^(a)\\1$', /refers back/],
    [`^${'a'.repeat(5_000)}$`, /long/],
  ])('refuses %s', (pattern, reason) => expect(refusePattern(pattern)).toMatch(reason))
})
