import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { drawQr } from './engine/qr.ts'
import { invitationOf, stepOf } from './engine/time-code.ts'
import { arePasskeysPossible, newRecoveryCode, readCode } from './rules.ts'

/** RFC 6238 appendix B; its eight digits end in the six that apps show. */
const SEED = Buffer.from('12345678901234567890')
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

test.each(VECTORS)('the code of second %i is the one that RFC 6238 gives', (second, code) => {
  expect(stepOf(code, SEED, new Date(second * 1000))).toBe(Math.floor(second / 30))
})

test('a code is found one step early or late and no further', () => {
  const at = (second: number) => stepOf('287082', SEED, new Date(second * 1000))
  expect([at(0), at(29), at(59), at(89), at(90)]).toEqual([1, 1, 1, 1, null])
})

test('an app is told everything it needs', () => {
  const { uri, seed } = invitationOf(SEED, 'Lukado & Co', 'mia:x')
  expect(uri).toBe(
    'otpauth://totp/Lukado%20%26%20Co:mia%3Ax?issuer=Lukado%20%26%20Co&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  )
  expect(seed).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
})

test('a QR code is one path of dark modules with a quiet zone around it', () => {
  const svg = drawQr('otpauth://totp/x')
  expect(svg).toMatch(
    /^<svg xmlns="[^"]+" viewBox="0 0 (\d+) \1" shape-rendering="crispEdges"><path fill="currentColor" d="(M\d+ \d+h\d+v1h-\d+z)+"\/><\/svg>$/,
  )
  // The finder pattern's first line: seven dark modules after the border of four.
  expect(svg).toContain('d="M4 4h7v1h-7z')
  expect(svg).not.toMatch(/M\d+ [0-3]h|M[0-3] \d/)
})

test('codes are read however they are typed', () => {
  expect(readCode(' 123 456 ')).toEqual({ kind: 'time', code: '123456' })
  expect(readCode('12345')).toEqual({ kind: 'none' })
  expect(readCode('١٢٣٤٥٦')).toEqual({ kind: 'none' })
  expect(readCode('u1234-abcde')).toEqual({ kind: 'none' })
  expect(readCode('oil2a-bcdeF')).toEqual({ kind: 'recovery', code: '0112ABCDEF' })
})

test('every recovery code is read as itself', () => {
  fc.assert(
    fc.property(fc.integer(), () => {
      const code = newRecoveryCode({ random: (bytes) => randomBytes(bytes) })
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
      expect(readCode(code.toLowerCase())).toEqual({
        kind: 'recovery',
        code: code.replace('-', ''),
      })
    }),
  )
})

test('no text typed breaks the reading of codes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(['time', 'recovery', 'none']).toContain(readCode(text).kind)
    }),
  )
})

test.each([
  ['https://shop.example', true],
  ['https://shop.example:8443', true],
  ['http://localhost:3000', true],
  ['http://lukado.localhost:3000', true],
  ['http://127.0.0.1:3000', false],
  ['https://127.0.0.1', false],
  ['http://[::1]:3000', false],
  ['https://192.0.2.1', false],
  ['http://shop.example', false],
])('passkeys on %s: %s', (publicUrl, isPossible) => {
  expect(arePasskeysPossible(publicUrl)).toBe(isPossible)
})
