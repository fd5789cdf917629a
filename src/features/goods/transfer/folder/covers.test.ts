import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { VOICES } from '#features/goods/picture/cover/alphabet.ts'
import { LAYOUT_RUN, REACH } from '#features/goods/picture/cover/choose.ts'
import { contrast } from '#features/goods/picture/cover/colour.ts'
import { cover } from '#features/goods/picture/cover/cover.ts'
import { INKS, READABLE } from '#features/goods/picture/cover/inks.ts'
import { widestGlyph } from '#features/goods/picture/cover/lettering.ts'
import {
  coverDesign,
  type CoverDesign,
  type CoverRecipe,
} from '#features/goods/picture/cover/recipe.ts'
import { sheetOf } from '#features/goods/picture/cover/sheet.ts'
import { capOf, wordsOf } from '#features/goods/picture/cover/title.ts'
import { present } from '#kernel/assert.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { Brand } from '../schema/goods.ts'
import type { CatalogueFolder } from './catalogue.ts'
import { completeCovers, type StoredCover, type StoredCovers } from './covers.ts'
import { parseFolder } from './parse.ts'

const NOTHING: StoredCovers = { brands: [], games: [] }

function readDocuments(folder: string): Map<string, unknown> {
  const root = join(PROJECT_ROOT, folder)
  return new Map(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => [path, JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown]),
  )
}

interface Shown {
  readonly code: string
  readonly name: string
  readonly kind: Brand['kind']
  readonly recipe: CoverRecipe
  readonly design: CoverDesign
}

const ORDER = {
  game_card: 0,
  gift_card: 0,
  prepaid_card: 0,
  subscription: 0,
  top_up: 1,
  game_key: 2,
  recharge: 3,
} as const

function coversOf({ brands }: Pick<CatalogueFolder, 'brands'>): Shown[] {
  return brands
    .map(({ brand }) => brand)
    .sort(
      (a, b) =>
        ORDER[a.kind] - ORDER[b.kind] ||
        (b.popularity ?? 0) - (a.popularity ?? 0) ||
        (a.code < b.code ? -1 : 1),
    )
    .map(({ code, name, kind, picture }) => {
      const recipe = present(picture && 'cover' in picture ? picture.cover : undefined, code)
      return { code, name, kind, recipe, design: recipe.design as CoverDesign }
    })
}

const onShelf = (covers: readonly Shown[]) => covers.filter(({ kind }) => kind !== 'recharge')

function motifsTwiceInReach(covers: readonly Shown[]): string[] {
  return covers
    .filter(({ design }, at) =>
      covers
        .slice(Math.max(0, at - REACH), at)
        .some((other) => other.design.motif === design.motif),
    )
    .map(({ code }) => code)
}

function layoutsTooOften(covers: readonly Shown[]): string[] {
  return covers
    .filter(
      ({ design }, at) =>
        design.layout !== 'centre' &&
        at >= LAYOUT_RUN &&
        covers.slice(at - LAYOUT_RUN, at).every((other) => other.design.layout === design.layout),
    )
    .map(({ code }) => code)
}

const stored = (folder: CatalogueFolder): StoredCovers => {
  const rows = folder.brands.map(
    ({ brand }): StoredCover => ({
      code: brand.code,
      kind: brand.kind,
      popularity: brand.popularity ?? 0,
      game: brand.game,
      recipe: brand.picture && 'cover' in brand.picture ? brand.picture.cover : null,
    }),
  )
  return { brands: rows, games: [] }
}

let demo: CatalogueFolder
let covers: Shown[]
beforeAll(() => {
  demo = present(parseFolder(readDocuments('catalogue')).folder, 'demo catalogue')
  covers = coversOf(demo)
})

describe('the covers of the demo catalogue', () => {
  test('are all there, whole, and of names that are known', () => {
    expect(onShelf(covers)).toHaveLength(492)
    expect(covers).toHaveLength(958)
    for (const { code, design } of covers) {
      expect(coverDesign.safeParse(design).success, code).toBe(true)
      const { title = 'foot', ground = 'plain', ...said } = design as Partial<CoverDesign>
      expect(Object.keys({ ...said, title, ground }).sort(), code).toEqual(
        Object.keys(coverDesign.shape).sort(),
      )
    }
  })

  test('have no motif twice within ten, and no layout five times in a row but the plain one', () => {
    expect(motifsTwiceInReach(onShelf(covers))).toEqual([])
    expect(layoutsTooOften(onShelf(covers))).toEqual([])
  })

  test('of the operators of a country differ in their motif', () => {
    for (const [file, group] of Map.groupBy(demo.brands, ({ file }) => file)) {
      if (!file.startsWith('operators/')) continue
      const motifs = coversOf({ brands: group }).map(({ design }) => design.motif)
      expect(new Set(motifs).size, file).toBe(Math.min(motifs.length, 8))
    }
  })

  test('keep a motif to its one owner or meaning', () => {
    const of = (motif: string) =>
      covers.filter(({ design }) => design.motif === motif).map(({ name }) => name)
    expect(of('gamepad')).toEqual(['Xbox Gift Card'])
    for (const name of of('throne')) expect(name).toMatch(/king/i)
    for (const name of of('app-grid')) expect(name).toMatch(/apple|google|app/i)
    expect(of('paper-plane').join()).not.toMatch(/telegram/i)
    const nautilus = covers.filter(({ design }) => design.motif === 'nautilus')
    for (const { code, design } of nautilus)
      expect(design.inks.includes('red') && design.inks.includes('yellow'), code).toBe(false)
  })

  test('are lettered no wider than tall letters may be, and no smaller than is read', () => {
    const sheet = sheetOf('3:4', { isSmall: false, isMirrored: false })
    for (const { code, design } of covers) {
      const lines = design.lines.map(wordsOf)
      for (const { text } of lines)
        expect(widestGlyph(text, VOICES[design.voice]), code).toBeLessThanOrEqual(1.6)
      expect(capOf(lines, VOICES[design.voice], sheet), code).toBeGreaterThanOrEqual(20)
    }
  })

  test('have a ground unlike the one beside them', () => {
    const shelf = onShelf(covers)
    const alike = shelf.filter(
      ({ design }, at) => at > 0 && shelf[at - 1]?.design.inks[0] === design.inks[0],
    )
    expect(alike.map(({ code }) => code)).toEqual([])
  })

  test('stand out from their ground: the main shape or the second tone', () => {
    for (const { code, design } of covers) {
      const [ground = 'paper', main = 'paper', second = 'paper'] = design.inks
      const best = Math.max(
        contrast(INKS[ground], INKS[main]),
        contrast(INKS[ground], INKS[second]),
      )
      expect(best, code).toBeGreaterThanOrEqual(1.7)
    }
  })

  test('weigh a few kilobytes', () => {
    const sizes = covers.map(({ recipe }) => cover(recipe).length)
    expect(Math.max(...sizes)).toBeLessThan(9_000)
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(3_500)
  })

  test('are lettered at 4.5:1 or better on what lies behind, at every place of a letter', async () => {
    const poor: string[] = []
    for (const [at, { code, recipe }] of covers.entries()) {
      const share = await poorShare(cover(recipe))
      const mirrored = at % 6 === 0 ? await poorShare(cover(recipe, { isMirrored: true })) : 0
      if (share > 0.01 || mirrored > 0.01) poor.push(`${code} ${share} ${mirrored}`)
    }
    expect(poor).toEqual([])
  }, 120_000)
})

/** Share of the lettering's places at which it does not read on what was drawn before it. */
async function poorShare(svg: string): Promise<number> {
  const group = /<g fill="none" stroke-linecap="(?:round|square)"[^>]*>.*?<\/g>/.exec(svg)?.[0]
  const pixels = async (content: string) =>
    sharp(Buffer.from(content)).ensureAlpha().raw().toBuffer()
  const head = /^<svg[^>]*>/.exec(svg)?.[0] ?? ''
  const letters = await pixels(`${head}${present(group, 'lettering')}</svg>`)
  // What the sheet's outline takes away is not lettered either.
  const behind = await pixels(
    svg.slice(0, svg.indexOf(group ?? '')) + (svg.includes('id="o"') ? '</g></svg>' : '</svg>'),
  )
  const strokes = new Set(
    Array.from(group?.matchAll(/stroke="(#[0-9a-f]+)"/g) ?? [], ([, ink]) => ink),
  )
  const hex = (bytes: Buffer, at: number) => `#${bytes.toString('hex', at, at + 3)}`
  const known = new Map<string, boolean>()
  let [seen, poor] = [0, 0]
  for (let at = 0; at < letters.length; at += 4) {
    if (letters[at + 3] !== 255 || behind[at + 3] !== 255) continue
    const [letter, ground] = [hex(letters, at), hex(behind, at)]
    // Not where strokes meet what is inlaid in them, which shows the ground itself.
    if (letter === ground || !strokes.has(letter)) continue
    seen += 1
    const key = letter + ground
    let isPoor = known.get(key)
    if (isPoor === undefined) known.set(key, (isPoor = contrast(letter, ground) < READABLE))
    if (isPoor) poor += 1
  }
  return poor / Math.max(1, seen)
}

describe('a catalogue without designs', () => {
  /** The demo, as an owner would bring it: no design is said. */
  const bare = (): CatalogueFolder => ({
    ...demo,
    brands: demo.brands.map((place) => {
      const { picture, ...brand } = place.brand
      const recipe = picture && 'cover' in picture ? picture.cover : null
      if (!recipe || place.brand.code.length % 7 === 0) return { ...place, brand }
      const { design: _, ...said } = recipe
      return { ...place, brand: { ...brand, picture: { cover: said } } }
    }),
  })

  test('gets whole ones by the rule, the same each time, without neighbours alike', () => {
    const once = completeCovers(bare(), NOTHING)
    expect(completeCovers(bare(), NOTHING)).toEqual(once)
    const shelf = onShelf(coversOf(once))
    expect(motifsTwiceInReach(shelf)).toEqual([])
    expect(layoutsTooOften(shelf)).toEqual([])
    expect(shelf.filter(({ design }) => design.motif === 'gamepad')).toEqual([])
  })

  test('keeps them from then on, whatever comes between', () => {
    const once = completeCovers(bare(), NOTHING)
    const first = present(once.brands[0], 'brand')
    const newcomers = Array.from({ length: 30 }, (_, at) => ({
      ...first,
      brand: {
        ...first.brand,
        code: `newcomer-${at}`,
        name: `Newcomer ${at}`,
        popularity: at * 70,
        picture: { cover: { name: `Newcomer ${at}`, kind: 'pin' as const } },
      },
    }))
    const later = completeCovers(
      { ...bare(), brands: [...newcomers, ...bare().brands] },
      stored(once),
    )
    const before = new Map(coversOf(once).map(({ code, design }) => [code, design]))
    const after = new Map(coversOf(later).map(({ code, design }) => [code, design]))
    for (const [code, design] of before) expect(after.get(code), code).toEqual(design)
    const shelf = onShelf(coversOf(later))
    const isNew = (code: string) => code.startsWith('newcomer')
    expect(motifsTwiceInReach(shelf).filter(isNew)).toEqual([])
  })

  test('has a new choice where the owner changes what it was made from, and there alone', () => {
    const folder = bare()
    const once = completeCovers(folder, NOTHING)
    const change = (picture: Brand['picture']) => {
      const brands = folder.brands.map((place) =>
        place.brand.code === 'steam' ? { ...place, brand: { ...place.brand, picture } } : place,
      )
      const done = completeCovers({ ...folder, brands }, stored(once))
      return present(
        coversOf(done).find(({ code }) => code === 'steam'),
        'steam',
      ).design
    }
    const before = present(
      coversOf(once).find(({ code }) => code === 'steam'),
      'steam',
    )
    const { design: _, ...recipe } = before.recipe
    expect(change({ cover: recipe })).toEqual(before.design)
    const green = change({ cover: { ...recipe, color: '#22b559' } })
    expect(['leaf', 'green']).toContain(green.inks[0])
    expect(green.motif).toBe(before.design.motif)
    const renamed = change({ cover: { ...recipe, name: 'Vapour' } })
    expect([renamed.lines.join().toUpperCase(), renamed.inks]).toEqual([
      'VAPOUR',
      before.design.inks,
    ])
    const own = change({ cover: { ...recipe, design: { motif: 'awning' } } })
    expect([own.motif, own.layout]).toEqual(['awning', 'horizon'])
  })
})

test('a game wears what its top-up wears, also when only one of them is in the folder', () => {
  const game = present(
    completeCovers(demo, NOTHING).games.find(({ code }) => code === 'mobile-legends'),
    'game',
  )
  const brand = present(
    demo.brands.find(({ brand }) => brand.code === 'mobile-legends'),
    'brand',
  )
  const designOf = ({ picture }: { picture?: Brand['picture'] }) =>
    picture && 'cover' in picture ? picture.cover.design : undefined
  expect(designOf(game)).toMatchObject(designOf(brand.brand) ?? {})
  const alone = completeCovers({ ...demo, brands: [] }, stored(demo)).games.find(
    ({ code }) => code === 'mobile-legends',
  )
  expect(alone && designOf(alone)).toEqual(designOf(game))
})
