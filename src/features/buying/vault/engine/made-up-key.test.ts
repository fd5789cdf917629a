import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { columnsOf, readKeyLine, type KeyFormat } from '../rules.ts'
import { drawFrom, keyMaker } from './made-up-key.ts'
import { makeText, readPattern } from './made-up-text.ts'

interface BrandFile {
  readonly code: string
  readonly redeem?: { readonly key_format?: KeyFormat }
}

const folder = join(PROJECT_ROOT, 'catalogue', 'brands')
const brands = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as BrandFile)
const formats = brands.flatMap(({ code, redeem }) =>
  redeem?.key_format?.parts.length ? [{ code, format: redeem.key_format }] : [],
)
const drawing = (seed: number) => {
  const generator = fc.sample(fc.infiniteStream(fc.nat({ max: 0xff_ff })), { numRuns: 1, seed })[0]
  return (end: number) => ((generator?.next().value as number | undefined) ?? 0) % end
}

test('a made-up key of every brand is taken for one by its format', () => {
  expect(formats.length).toBeGreaterThan(200)
  fc.assert(
    fc.property(fc.constantFrom(...formats), fc.integer(), ({ format }, seed) => {
      const { parts, expiresOn } = keyMaker(format, drawing(seed), 2026)()
      const { columns } = columnsOf([], format)
      const cells = [...format.parts.map(({ name }) => parts[name] ?? ''), expiresOn ?? '']
      expect(readKeyLine(cells, columns, format, '2026-12-31')).toMatchObject({ key: { parts } })
    }),
    { numRuns: 2_000 },
  )
})

test('thousands of keys of one item differ, and show that they redeem nothing', () => {
  const make = keyMaker(
    { parts: [{ name: 'code', pattern: '^[A-Z0-9]{12}$' }] },
    drawFrom((count) => crypto.getRandomValues(new Uint8Array(count))),
    2026,
  )
  const codes = Array.from({ length: 5_000 }, () => make().parts['code'])
  expect(new Set(codes).size).toBe(5_000)
  expect(codes.every((code) => code?.startsWith('DEMO'))).toBe(true)
})

test('every pattern of the subset gives texts that match it', () => {
  const atom = fc.constantFrom(
    'A',
    '\\d',
    '[A-Z0-9]',
    '[a-c-]',
    '[\\dX]',
    '[\\u3041-\\u3043]',
    '(?:AB|C|\\d{2})',
    '\\w',
  )
  const pattern = fc
    .array(fc.tuple(atom, fc.constantFrom('', '?', '{3}', '{1,4}', '+', '*', '{2,}')), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => `^${parts.flat().join('')}$`)
  fc.assert(
    fc.property(pattern, fc.integer(), (source, seed) => {
      expect(makeText(readPattern(source), drawing(seed))).toMatch(new RegExp(source, 'u'))
    }),
  )
})

test('what is outside of the subset is said to be so', () => {
  for (const pattern of ['^(?=A)B$', '^[^A]$', '^(AB$', '^[AB$', '^A{2}$|(?!x)'])
    expect(() => readPattern(pattern)).toThrow(SyntaxError)
})
