import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stylesheetOf, shownTheme } from './views.ts'
import {
  COLOURS,
  contrast,
  isReadable,
  LEAST_SHAPE,
  LEAST_TEXT,
  pairsOf,
  paperColours,
  RELEASE_PAPER,
  RELEASE_THEME,
  RELEASE_TOKENS,
  SCHEMES,
  SIGNALS,
  tokensOf,
  type Theme,
} from './rules.ts'
import { theme as themeSchema } from './schema.ts'

const css = readFileSync('src/ui/tokens.css', 'utf8')
const long = (value: string) =>
  /^#[0-9a-f]{3}$/.test(value) ? value.replace(/[0-9a-f]/g, '$&$&') : value

/** A token as the stylesheet has it: the first value is that of the light scheme. */
function tokenOf(name: string, scheme: 'light' | 'dark'): string {
  const own = scheme === 'light' ? css : css.slice(css.search(/prefers-color-scheme:\s*dark/))
  const found = new RegExp(`--${name}:\\s*(#[0-9a-f]{3,6});`).exec(own)?.[1]
  return found === undefined ? tokenOf(name, 'light') : long(found)
}

test.each(SCHEMES)(
  'the release’s %s tokens are those of its stylesheet, and can be read',
  (scheme) => {
    for (const [name, value] of Object.entries(RELEASE_TOKENS[scheme]))
      expect([name, tokenOf(name, scheme)]).toEqual([name, value])
    expect(SIGNALS[scheme]).toEqual(
      ['ok', 'warn', 'bad', 'focus'].map((name) => tokenOf(name, scheme)),
    )
    expect(pairsOf(RELEASE_THEME).filter((pair) => !isReadable(pair))).toEqual([])
  },
)

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ffd21f', '#171300', 12.8],
])('%s on %s has the contrast that WCAG works out', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

test('a colour that nobody can read is refused at its place, with the pair named', () => {
  const parsed = themeSchema.safeParse({ light: { accent: '#ffd21f', on_accent: '#ffffff' } })
  expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'light.on_accent',
    'dark.on_accent',
  ])
  expect(parsed.error?.issues[0]?.message).toBe(
    'on_accent #ffffff and accent #ffd21f have a contrast of 1.44:1, at least 4.5:1 is needed',
  )
  expect(themeSchema.safeParse({ light: { page: '#888888' } }).success).toBe(false)
  expect(themeSchema.safeParse({ light: { text: 'red' } }).success).toBe(false)
  expect(themeSchema.safeParse({ light: { text: '#000000;}body{display:none' } }).success).toBe(
    false,
  )
  expect(themeSchema.safeParse({ corners: 'wavy' }).success).toBe(false)
})

test('a shop that has chosen nothing sends no stylesheet of its own', () => {
  expect(shownTheme(RELEASE_THEME)).toMatchObject({ css: '', address: null })
  expect(stylesheetOf(themeSchema.parse({}))).toBe('')
  expect(shownTheme(themeSchema.parse({ corners: 'square' })).address).toMatch(
    /^\/theme\/[\w-]{22}\.css$/,
  )
})

const colour = fc.nat({ max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const palette = fc.dictionary(fc.constantFrom(...COLOURS), colour)

test('whatever is chosen and taken, what follows from it can be read as well', () => {
  let taken = 0
  fc.assert(
    fc.property(palette, palette, (light, dark) => {
      const parsed = themeSchema.safeParse({ light, dark })
      if (!parsed.success) return
      taken += 1
      const theme: Theme = parsed.data
      for (const scheme of SCHEMES) {
        const { ink, paper, surface, tag, ...made } = tokensOf(theme, scheme)
        for (const ground of [paper, surface])
          for (const words of [ink, made['ink-2'], made['ink-3'], made.link])
            expect(contrast(words, ground)).toBeGreaterThanOrEqual(LEAST_TEXT)
        for (const button of [tag, made['tag-hover'], made['tag-press']])
          expect(contrast(made['on-tag'], button)).toBeGreaterThanOrEqual(LEAST_TEXT)
        for (const ground of [made.sunken, made.raised])
          for (const words of [ink, made['ink-2'], made['ink-3']])
            expect(contrast(words, ground)).toBeGreaterThanOrEqual(LEAST_TEXT)
        expect(contrast(ink, made['tag-soft'])).toBeGreaterThanOrEqual(LEAST_TEXT)
        expect(contrast(made['tag-line'], surface)).toBeGreaterThanOrEqual(LEAST_SHAPE)
        expect(contrast(made['line-strong'], surface)).toBeGreaterThanOrEqual(LEAST_SHAPE)
      }
    }),
    { numRuns: 5_000 },
  )
  expect(taken).toBeGreaterThan(50)
})

test('on white paper the text of the shop is read, and its main colour seen as a line, whatever they are', () => {
  const colour = fc
    .integer({ min: 0, max: 0xff_ff_ff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, colour, (accent, text) => {
      const made = paperColours({ light: { accent, text }, dark: {}, corners: 'soft' })
      expect(contrast(made.ink, '#ffffff')).toBeGreaterThanOrEqual(LEAST_TEXT)
      expect(contrast(made.accent ?? '', '#ffffff')).toBeGreaterThanOrEqual(LEAST_SHAPE)
    }),
  )
  expect(paperColours(RELEASE_THEME)).toEqual(RELEASE_PAPER)
})
