import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { goodsArt, GOODS_VIEWS } from './goods-art.ts'
import { MOTIF_NAMES } from './motif.ts'
import { COVER_KINDS, type CoverRatio, type CoverRecipe } from './recipe.ts'

const RATIOS: readonly CoverRatio[] = ['3:4', '1:1', '16:10', '2:1', 'card']
const recipes: readonly CoverRecipe[] = MOTIF_NAMES.map((motif, at) => ({
  name: `Secretword ${motif}`,
  kind: COVER_KINDS[at % COVER_KINDS.length] ?? 'gift',
  tag: 'USD',
  design: { motif },
}))

describe('goods together', () => {
  it('are drawn of every motif and kind in each ratio, with numbers only and no lettering', () => {
    for (const view of GOODS_VIEWS)
      for (const ratio of RATIOS)
        for (const [at, recipe] of recipes.entries()) {
          const goods = [recipe, recipes[(at + 7) % recipes.length] ?? recipe, recipe]
          const drawn = goodsArt(view, goods, ratio, at % 2 === 0)
          expect(drawn).not.toMatch(/NaN|Infinity|undefined|null|\$|Secretword|<text/)
          const names = [...drawn.matchAll(/ id="(\w+)"/g)].map(([, name]) => name)
          expect(new Set(names).size, 'names of clips').toBe(names.length)
          for (const [, used] of drawn.matchAll(/url\(#(\w+)\)/g)) expect(names).toContain(used)
        }
  })

  it('are a picture that a renderer takes', async () => {
    const drawn = goodsArt('shelf', recipes.slice(0, 3), '16:10', false)
    const { width, height } = await sharp(Buffer.from(drawn))
      .png()
      .toBuffer({ resolveWithObject: true })
      .then(({ info }) => info)
    expect([width, height]).toEqual([640, 400])
  })

  it('stand the other way round on right-to-left pages', () => {
    const places = (isMirrored: boolean) =>
      goodsArt('banner', recipes.slice(0, 1), '16:10', isMirrored)
    expect(places(true)).not.toBe(places(false))
    const [one, two] = recipes
    if (!one || !two) throw new Error('two recipes')
    expect(goodsArt('shelf', [one, two], '16:10', true)).not.toBe(
      goodsArt('shelf', [one, two], '16:10', false),
    )
  })

  it('are not drawn of nothing', () => {
    expect(() => goodsArt('shelf', [], '16:10', false)).toThrow(RangeError)
  })
})
