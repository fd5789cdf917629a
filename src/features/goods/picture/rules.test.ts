import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EFFECTS,
  PICTURE_EXTENSIONS,
  PICTURE_STYLES,
  PICTURE_WIDTHS,
  addressOf,
  canonicalPicture,
  parsePictureAddress,
  pictureRequest,
  pictureUrl,
} from './rules.ts'
import type { PictureStyle } from './rules.ts'

const parse = (address: string) => parsePictureAddress(new URL(address, 'http://shop.example'))
const styles = Object.keys(PICTURE_STYLES).filter(
  (name): name is PictureStyle => name in PICTURE_STYLES,
)
const code = fc.stringMatching(/^[A-Za-z0-9-]{1,20}(\/[A-Za-z0-9-]{1,20}){0,3}$/)

describe('a picture address', () => {
  it('has the sizes the specification names', () => {
    const size = (address: string) => {
      const request = parse(address)
      return request && [request.width, request.height, request.quality]
    }
    expect(size('/img/goods_thumb_3_4/brand/steam.webp')).toEqual([240, 320, 90])
    expect(size('/img/goods_thumb_3_4/brand/steam.webp?w=120&h=158')).toEqual([120, 158, 90])
    expect(size('/img/goods_thumb_1_1/brand/steam.webp')).toEqual([360, 360, 90])
    expect(size('/img/discount/brand/steam.webp')).toEqual([415, 415, 90])
    expect(size('/img/discount/brand/steam.webp?w=260&h=130')).toEqual([260, 130, 90])
    expect(size('/img/national_flag/flag/us.webp')).toEqual([40, 40, 90])
    expect(size('/img/article/news/x.webp')).toEqual([386, 241, 90])
    expect(size('/img/home_b/news/x.webp?q=100')).toEqual([1125, 703, 100])
    expect(size('/img/link_preview/brand/steam.png')).toEqual([1200, 630, 90])
  })

  it('parses back to the request it was built from', () => {
    const options = fc.record(
      {
        width: fc.integer({ min: -10, max: 5000 }),
        height: fc.integer({ min: -10, max: 5000 }),
        quality: fc.integer({ min: -10, max: 200 }),
        extension: fc.constantFrom(...PICTURE_EXTENSIONS),
        version: fc.stringMatching(/^[A-Za-z0-9_-]{8}$/),
        isMirrored: fc.boolean(),
        blur: fc.integer({ min: -5, max: 80 }),
        sharpen: fc.integer({ min: -5, max: 500 }),
        brightness: fc.integer({ min: -200, max: 200 }),
        contrast: fc.integer({ min: -200, max: 200 }),
        saturation: fc.integer({ min: -200, max: 200 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom(...styles), code, options, (style, name, chosen) => {
        const request = pictureRequest(style, name, chosen)
        expect(parse(addressOf(request))).toEqual(request)
      }),
    )
  })

  it('never leaves the limits, whatever the query says', () => {
    const value = fc.oneof(
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.string(),
      fc.constantFrom('', '-0', '1e9', '0x10', ' 5', '9'.repeat(400), '%00'),
    )
    const query = fc.array(
      fc.tuple(
        fc.constantFrom('w', 'h', 'q', 's', 'v', 'x', ...EFFECTS.map((effect) => effect.name)),
        value,
      ),
      { maxLength: 14 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...styles),
        fc.constantFrom(...PICTURE_EXTENSIONS),
        query,
        (style, extension, pairs) => {
          const request = parse(`/img/${style}/a.${extension}?${new URLSearchParams(pairs)}`)
          expect(request).not.toBeNull()
          if (!request) return
          expect([...PICTURE_WIDTHS, 120, 415]).toContain(request.width)
          expect(request.width).toBeLessThanOrEqual(PICTURE_STYLES[style].maxWidth)
          expect(request.height).toBeGreaterThan(0)
          expect(request.height).toBeLessThanOrEqual(2250)
          expect(request.quality % 5).toBe(0)
          expect(request.quality).toBeGreaterThanOrEqual(5)
          expect(request.quality).toBeLessThanOrEqual(100)
          for (const { name, min, max } of EFFECTS) {
            const effect = request.effects[name]
            if (effect !== undefined)
              expect(effect >= min && effect <= max && Number.isInteger(effect)).toBe(true)
          }
        },
      ),
    )
  })

  it('clamps numbers, ignores garbage and takes the first of duplicates', () => {
    const effects = (query: string) => parse(`/img/article/news/x.webp?${query}`)?.effects
    expect(effects('blur=999&sharpen=1&brightness=-400&contrast=101&saturation=-101')).toEqual({
      blur: 50,
      sharpen: 50,
      brightness: -100,
      contrast: 100,
      saturation: -100,
    })
    expect(effects('blur=abc&contrast=&saturation=1e2')).toEqual({})
    expect(effects('blur=3&blur=40')).toEqual({ blur: 3 })
    expect(parse('/img/article/news/x.webp?q=0')?.quality).toBe(5)
    expect(parse('/img/article/news/x.webp?q=101')?.quality).toBe(100)
    expect(parse('/img/article/news/x.webp?q=87&q=20')?.quality).toBe(85)
    expect(parse('/img/article/news/x.webp?q=ten')?.quality).toBe(90)
  })

  it('names no picture when any part is foreign', () => {
    for (const address of [
      '/img/article/x',
      '/img/article/.webp',
      '/img/nothing/x.webp',
      '/img/article/x.gif',
      '/img/article/x.webp/y',
      '/img/x.webp',
      '/img/article/../../etc/passwd.webp',
      '/img/article/a//b.webp',
      '/img/article/a%2fb.webp',
      '/img/article/%2e%2e/b.webp',
      '/img/article/a%00.webp',
      '/img/article/a.b.webp',
      '/img/article/%ff.webp',
      '/img/article/ä.webp',
      '/img/constructor/x.webp',
      '/img/__proto__/x.webp',
      '/img/article/x.constructor',
      `/img/article/${'a'.repeat(121)}.webp`,
      `/img/article/${'a/'.repeat(5000)}a.webp`,
    ])
      expect(parse(address), address).toBeNull()
  })

  it('offers few renditions a picture', () => {
    const seen = new Set<string>()
    for (let w = 0; w < 3000; w += 3)
      for (const h of ['', '&h=1', `&h=${w}`])
        seen.add(canonicalPicture(parse(`/img/goods_thumb_3_4/x.webp?w=${w}${h}`)!))
    expect(seen.size).toBeLessThanOrEqual(2 * PICTURE_WIDTHS.length)
    const drawings = [0, 39, 80, 96, 97, 240, 5000].map(
      (w) => parse(`/img/goods_thumb_3_4/x.svg?w=${w}`)?.width,
    )
    expect(drawings).toEqual([80, 80, 80, 80, 240, 240, 240])
  })

  it('leaves out what is usual', () => {
    expect(pictureUrl('goods_thumb_3_4', 'brand/steam')).toBe(
      '/img/goods_thumb_3_4/brand/steam.webp',
    )
    expect(
      pictureUrl('goods_thumb_3_4', 'brand/steam', {
        width: 480,
        version: 'abcdefgh',
        extension: 'svg',
      }),
    ).toBe('/img/goods_thumb_3_4/brand/steam.svg?v=abcdefgh')
    expect(pictureUrl('discount', 'brand/steam', { width: 260, height: 130 })).toBe(
      '/img/discount/brand/steam.webp?w=260&h=130',
    )
  })
})
