import { createHash } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hash } from './chance.ts'
import { contrast } from './colour.ts'
import { cover } from './cover.ts'
import { flag, flagPlate } from './flag.ts'
import { newsCover } from './news.ts'
import { breakLines, shortName } from './names.ts'
import { palette } from './palette.ts'
import { COVER_KINDS, MOTIF_NAMES, coverRecipe } from './recipe.ts'
import type { CoverRatio, CoverRecipe } from './recipe.ts'
import { splitInk } from './title.ts'

const RATIOS: readonly CoverRatio[] = ['3:4', '1:1', '16:10', '2:1']
const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((v) => `#${v.toString(16).padStart(6, '0')}`)
const recipe: fc.Arbitrary<CoverRecipe> = fc
  .record(
    {
      name: fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' }),
      kind: fc.constantFrom(...COVER_KINDS),
      color,
      tag: fc.stringMatching(/^[A-Za-z0-9+\-&%. ]{0,8}$/),
      short: fc.stringMatching(/^[A-Za-z0-9+\-&%. ]{0,40}$/),
      motif: fc.constantFrom(...MOTIF_NAMES),
    },
    { requiredKeys: ['name', 'kind'] },
  )
  .filter((candidate) => coverRecipe.safeParse(candidate).success)

describe('a cover', () => {
  it('is the same for the same recipe', () => {
    fc.assert(
      fc.property(recipe, fc.constantFrom(...RATIOS), (r, ratio) => {
        expect(cover(r, ratio)).toBe(cover({ ...r }, ratio))
      }),
    )
  })

  it('has not changed without a new edition of its version', () => {
    // When this fails on purpose, raise EDITION in pipeline/version.ts and take over the new figure.
    const all = createHash('sha256')
    for (const kind of COVER_KINDS)
      for (const motif of MOTIF_NAMES)
        for (const ratio of RATIOS)
          all.update(cover({ name: `Sample ${motif}`, kind, motif, tag: 'USD' }, ratio))
    for (const code of ['us', 'mena', 'global']) all.update(flag(code))
    expect(all.digest('hex').slice(0, 16)).toMatchInlineSnapshot(`"2991e1a389b393de"`)
  })

  it('carries only numbers that a renderer understands', () => {
    fc.assert(
      fc.property(recipe, fc.constantFrom(...RATIOS), (r, ratio) => {
        const drawn = cover({ ...r, name: 'x' }, ratio)
        expect(drawn).not.toMatch(/NaN|Infinity|undefined|null/)
      }),
    )
  })

  it('is well-formed for any name that the recipe allows', async () => {
    await fc.assert(
      fc.asyncProperty(recipe, async (r) => {
        const { format } = await sharp(Buffer.from(cover(r))).metadata()
        expect(format).toBe('svg')
      }),
      { numRuns: 60 },
    )
  })

  it('differs between regions of one product only in the printed tag', () => {
    const plain = (tag: string) =>
      cover({ name: 'Steam Wallet Code', kind: 'gift', tag }).replace(
        /<path d="[^"]*" fill="none" stroke="[^"]*" stroke-width="2\.6"[^>]*>/g,
        '',
      )
    expect(plain('USD')).toBe(plain('EUR'))
    expect(cover({ name: 'Steam', kind: 'gift', tag: 'USD' })).not.toBe(
      cover({ name: 'Steam', kind: 'gift', tag: 'EUR' }),
    )
  })

  it('weighs a few kilobytes', () => {
    fc.assert(
      fc.property(recipe, (r) => {
        expect(cover(r).length).toBeLessThan(20_000)
      }),
    )
  })

  it('falls back to system lettering for a name without Latin letters', () => {
    expect(cover({ name: '原神', kind: 'topup' })).toContain('>原神</text>')
  })

  it('escapes what would end the markup', () => {
    expect(cover({ name: '<script>"&', kind: 'topup' })).not.toContain('<script>')
  })
})

describe('lettering', () => {
  it('reads on its ground in any colour', () => {
    fc.assert(
      fc.property(fc.option(color, { nil: undefined }), fc.string(), (c, seed) => {
        const colours = palette(c, hash(seed))
        expect(contrast(colours.ink, colours.background)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(splitInk(colours), colours.background)).toBeGreaterThanOrEqual(4.5)
        expect(contrast('#ffffff', colours.panel)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 3000 },
    )
  })

  it('drops words that many products share', () => {
    expect(shortName('Mobile Legends: Bang Bang Diamonds')).toBe('MOBILE LEGENDS')
    expect(shortName('Steam Wallet Code')).toBe('STEAM')
    expect(shortName('Gift Card')).toBe('GIFT CARD')
    expect(shortName('Pokémon UNITE')).toBe('POKEMON UNITE')
  })

  it('is set in at most three lines', () => {
    expect(breakLines('CALL OF DUTY MOBILE')).toEqual(['CALL OF', 'DUTY', 'MOBILE'])
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z ]{1,60}$/), (text) => {
        expect(breakLines(text).length).toBeLessThanOrEqual(3)
      }),
    )
  })
})

describe('a region sign', () => {
  it('shows white letters at 4.5:1 or better for every pair of letters', () => {
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    for (const one of alphabet)
      for (const other of alphabet)
        expect(contrast('#ffffff', flagPlate(one + other))).toBeGreaterThanOrEqual(4.5)
  })

  it('looks the same however the code is spelled', () => {
    expect(flag('us')).toBe(flag('US'))
    expect(flag('us')).not.toBe(flag('de'))
  })
})

describe('a news cover', () => {
  it('differs between two articles of one category', () => {
    expect(cover(newsCover('read-the-region-line', 'Guides'), '16:10')).not.toBe(
      cover(newsCover('order-status', 'Guides'), '16:10'),
    )
  })

  it('is a valid recipe', () => {
    expect(coverRecipe.safeParse(newsCover('a', 'New in the shop')).success).toBe(true)
  })
})
