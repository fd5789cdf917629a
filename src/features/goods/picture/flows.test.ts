import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secret } from '#platform/secret.ts'
import { cover } from './cover/cover.ts'
import type { CoverRecipe } from './cover/recipe.ts'
import { createPictureService } from './flows.ts'
import type { PictureHeaders, PictureServiceOptions } from './flows.ts'
import { makePicture } from './pipeline/render.ts'
import { signedPictureUrl } from './pipeline/signature.ts'
import { pictureVersion } from './pipeline/version.ts'
import type { PictureRecipe } from './schema.ts'

const KEY = secret('a key of the shop')
const STEAM: CoverRecipe = { name: 'Steam Wallet Code', kind: 'gift', color: '#1b6fb8', tag: 'USD' }
const CHROME = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8', acceptEncoding: 'gzip, br' }

let directory: string
let recipes: Record<string, PictureRecipe>

function open(options: Partial<PictureServiceOptions> = {}) {
  const faults: unknown[] = []
  const service = createPictureService({
    cacheDirectory: join(directory, 'cache'),
    secret: KEY,
    resolve: (code) => (Object.hasOwn(recipes, code) ? (recipes[code] ?? null) : null),
    make: makePicture,
    now: () => new Date('2026-11-20T12:00:00Z'),
    onFault: (error) => faults.push(error),
    ...options,
  })
  const get = (address: string, headers: PictureHeaders = {}) =>
    service.handle(new URL(address, 'http://shop.example'), headers)
  return { ...service, get, faults }
}

const sizeOf = async (body: Uint8Array) => {
  const { width, height, format } = await sharp(body).metadata()
  return [format, width, height]
}

async function cacheFiles(): Promise<string[]> {
  const all = await readdir(join(directory, 'cache'), { recursive: true, withFileTypes: true })
  return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pictures-'))
  recipes = {
    'brand/steam': { kind: 'cover', recipe: STEAM },
    'flag/us': { kind: 'flag', country: 'us' },
    'scene/games-evening': { kind: 'scene', scene: 'games-evening', isMirrored: false },
    'figure/profile-id': { kind: 'figure', figure: 'profile-id' },
    'upload/photo': { kind: 'file', path: join(directory, 'photo.png') },
  }
})
// What was drawn may still be on its way into the folder.
afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))

describe('a rendition', () => {
  it('has the size and the type that were asked for', async () => {
    const { get } = open()
    for (const [address, expected] of [
      ['/img/goods_thumb_3_4/brand/steam.webp', ['webp', 240, 320]],
      ['/img/goods_thumb_3_4/brand/steam.png?w=120&h=158', ['png', 120, 158]],
      ['/img/discount/brand/steam.jpg?w=260&h=130', ['jpeg', 260, 130]],
      ['/img/national_flag/flag/us.avif', ['heif', 40, 40]],
      ['/img/home_b/brand/steam.webp', ['webp', 1125, 703]],
      ['/img/link_preview/brand/steam.png', ['png', 1200, 630]],
      ['/img/link_preview/scene/games-evening.png', ['png', 1200, 630]],
      ['/img/article/scene/games-evening.webp', ['webp', 386, 241]],
      ['/img/field_help/figure/profile-id.webp', ['webp', 640, 400]],
    ] as const) {
      const answer = await get(address)
      expect(answer.status).toBe(200)
      expect(answer.headers['Content-Length']).toBe(String(answer.body.byteLength))
      expect(await sizeOf(answer.body), address).toEqual(expected)
    }
  })

  it('is AVIF under the same address for a browser that accepts it', async () => {
    const { get } = open()
    const modern = await get('/img/goods_thumb_3_4/brand/steam.webp', CHROME)
    const old = await get('/img/goods_thumb_3_4/brand/steam.webp', { accept: '*/*' })
    expect([modern.headers['Content-Type'], modern.headers['Vary']]).toEqual([
      'image/avif',
      'Accept',
    ])
    expect([old.headers['Content-Type'], old.headers['Vary']]).toEqual(['image/webp', 'Accept'])
    expect(modern.headers['ETag']).not.toBe(old.headers['ETag'])
  })

  it('keeps the holes of a card transparent, and white where the format cannot', async () => {
    const { get } = open()
    const slot = async (extension: string) => {
      const { data, info } = await sharp(
        (await get(`/img/goods_thumb_3_4/brand/steam.${extension}`)).body,
      )
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      return [...data.subarray((23 * info.width + 120) * 4, (23 * info.width + 120) * 4 + 4)]
    }
    expect((await slot('webp'))[3]).toBe(0)
    expect(Math.min(...(await slot('jpg')))).toBeGreaterThan(240)
  })

  it('can be the drawing itself, compressed', async () => {
    const { get } = open()
    const address = '/img/goods_thumb_3_4/brand/steam.svg?w=999&q=5&blur=3'
    const answer = await get(address, CHROME)
    expect(answer.headers).toMatchObject({
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Content-Encoding': 'br',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    })
    expect(brotliDecompressSync(answer.body).toString()).toBe(cover(STEAM))
    expect(gunzipSync((await get(address, { acceptEncoding: 'gzip' })).body).toString()).toBe(
      cover(STEAM),
    )
    const plain = await get(address)
    expect(Buffer.from(plain.body).toString()).toBe(cover(STEAM))
    expect(plain.headers['Content-Encoding']).toBeUndefined()
  })

  it('is drawn with less in it for small places, and mirrored for right-to-left pages', async () => {
    const { get } = open()
    const drawing = async (query: string) =>
      Buffer.from((await get(`/img/goods_thumb_3_4/brand/steam.svg${query}`)).body).toString()
    expect(await drawing('?w=72')).toBe(cover(STEAM, { isSmall: true }))
    expect(await drawing('?w=96')).toBe(cover(STEAM, { isSmall: true }))
    expect(await drawing('?w=97')).toBe(cover(STEAM))
    expect(await drawing('?dir=rtl')).toBe(cover(STEAM, { isMirrored: true }))
    expect(await drawing('?dir=up')).toBe(cover(STEAM))
  })

  it('carries effects only when the address is signed', async () => {
    const { get, figures } = open()
    const plain = await get('/img/article/brand/steam.png')
    const forged = await get('/img/article/brand/steam.png?blur=20&s=AAAAAAAAAAAAAAAA')
    expect(forged.headers['ETag']).toBe(plain.headers['ETag'])
    expect(figures().drawn).toBe(1)
    for (const effects of [
      { blur: 20 },
      { sharpen: 399 },
      { brightness: 40 },
      { contrast: -60 },
      { saturation: -100 },
    ]) {
      const signed = await get(
        signedPictureUrl(KEY, 'article', 'brand/steam', { ...effects, extension: 'png' }),
      )
      expect(await sizeOf(signed.body)).toEqual(['png', 386, 241])
      expect(Buffer.from(signed.body).equals(plain.body), JSON.stringify(effects)).toBe(false)
    }
  })
})

describe('caching', () => {
  it('is for good with the right version and for an hour without', async () => {
    const { get } = open()
    const version = pictureVersion({ kind: 'cover', recipe: STEAM })
    const cacheControl = async (query: string) =>
      (await get(`/img/goods_thumb_3_4/brand/steam.svg${query}`)).headers['Cache-Control']
    expect(await cacheControl(`?v=${version}`)).toBe('public, max-age=31536000, immutable')
    expect(await cacheControl('?v=00000000')).toBe('no-cache')
    expect(await cacheControl('')).toBe('public, max-age=3600')
  })

  it('answers 304 without drawing', async () => {
    const { get, figures } = open()
    const { headers } = await get('/img/goods_thumb_3_4/brand/steam.webp')
    const again = await open().get('/img/goods_thumb_3_4/brand/steam.webp', {
      ifNoneMatch: `"x", W/${headers['ETag']}`,
    })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
    expect(again.headers['ETag']).toBe(headers['ETag'])
    expect(figures().drawn).toBe(1)
  })

  it('draws once for many that ask at the same time, and never again after a restart', async () => {
    const first = open()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => first.get('/img/goods_thumb_3_4/brand/steam.webp')),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(first.figures()).toMatchObject({ drawn: 1, refused: 0 })
    await first.get('/img/goods_thumb_3_4/brand/steam.webp')
    expect(first.figures().fromMemory).toBe(1)

    const second = open()
    const kept = await second.get('/img/goods_thumb_3_4/brand/steam.webp')
    expect(Buffer.from(kept.body).equals(answers[0]!.body)).toBe(true)
    expect(second.figures()).toMatchObject({ drawn: 0, fromDisk: 1 })
  })

  it('draws a damaged file again', async () => {
    const { body } = await open().get('/img/goods_thumb_3_4/brand/steam.webp')
    const [file] = await cacheFiles()
    await truncate(file!, 500)
    const second = open()
    const redrawn = await second.get('/img/goods_thumb_3_4/brand/steam.webp')
    expect(Buffer.from(redrawn.body).equals(body)).toBe(true)
    expect(second.figures()).toMatchObject({ drawn: 1, fromDisk: 0 })
  })

  it('stays within its bound on disk however many pictures are asked for', async () => {
    const maxDiskBytes = 64 * 1024
    const { get, figures } = open({ maxDiskBytes })
    for (let i = 0; i < 40; i++)
      recipes[`brand/b${i}`] = { kind: 'cover', recipe: { ...STEAM, name: `Brand ${i}` } }
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => get(`/img/goods_thumb_3_4/brand/b${i}.png`)),
    )
    expect(figures()).toMatchObject({ drawn: 40, refused: 0 })
    expect(figures().diskBytes).toBeLessThanOrEqual(maxDiskBytes)
    let sum = 0
    for (const file of await cacheFiles()) sum += Math.ceil((await stat(file)).size / 4096) * 4096
    expect(sum).toBeLessThanOrEqual(maxDiskBytes)
  })

  it('serves without a disk when the directory cannot be used', async () => {
    await writeFile(join(directory, 'cache'), 'a file in the way')
    const { get, faults } = open()
    expect((await get('/img/goods_thumb_3_4/brand/steam.webp')).status).toBe(200)
    expect(faults).toHaveLength(1)
  })

  it('asks to come back when too many wait', async () => {
    const { get } = open({ limits: { jobs: 1, waiting: 3 } })
    for (let i = 0; i < 10; i++)
      recipes[`brand/b${i}`] = { kind: 'cover', recipe: { ...STEAM, name: `Brand ${i}` } }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => get(`/img/goods_thumb_3_4/brand/b${i}.webp`)),
    )
    const busy = answers.filter((answer) => answer.status === 503)
    expect(busy).toHaveLength(6)
    expect(busy[0]!.headers).toMatchObject({ 'Retry-After': '2', 'Cache-Control': 'no-store' })
    expect((await get('/img/goods_thumb_3_4/brand/b9.webp')).status).toBe(200)
  })
})

describe('a picture from a file', () => {
  const photo = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#d05030' } })

  it('is cut to the style, and drawn again when the file changes', async () => {
    const { get } = open()
    await photo(800, 300).png().toFile(join(directory, 'photo.png'))
    const first = await get('/img/goods_thumb_1_1/upload/photo.webp')
    expect(await sizeOf(first.body)).toEqual(['webp', 360, 360])
    expect(first.headers['Cache-Control']).toBe('public, max-age=3600')
    await photo(900, 400).jpeg().toFile(join(directory, 'photo.png'))
    expect((await get('/img/goods_thumb_1_1/upload/photo.webp')).headers['ETag']).not.toBe(
      first.headers['ETag'],
    )
    expect((await get('/img/goods_thumb_1_1/upload/photo.svg')).status).toBe(404)
  })

  it('is absent when the file is missing, cut, too large or no bitmap', async () => {
    const { get } = open()
    const status = async () => (await get('/img/goods_thumb_1_1/upload/photo.webp')).status
    expect(await status()).toBe(404)
    await photo(6000, 5000).png().toFile(join(directory, 'photo.png'))
    expect(await status()).toBe(404)
    await writeFile(
      join(directory, 'photo.png'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
    )
    expect(await status()).toBe(404)
    const whole = await photo(800, 800).jpeg().toBuffer()
    await writeFile(join(directory, 'photo.png'), whole.subarray(0, 400))
    expect(await status()).toBe(404)
  })
})

describe('a hostile address', () => {
  it('is a plain 404', async () => {
    const { get } = open()
    for (const address of [
      '/img/goods_thumb_3_4/brand/unknown.webp',
      '/img/nothing/brand/steam.webp',
      '/img/goods_thumb_3_4/../../../etc/passwd',
      '/img/goods_thumb_3_4/..%2f..%2fetc%2fpasswd.webp',
      '/img/goods_thumb_3_4/brand%2fsteam.webp',
      '/img/goods_thumb_3_4/brand/steam%00.webp',
      '/img/goods_thumb_3_4/%E0%A4%A.webp',
      `/img/goods_thumb_3_4/${'a'.repeat(100_000)}.webp`,
      '/img/goods_thumb_3_4/__proto__.webp',
      '/img/goods_thumb_3_4/constructor.webp',
      '/img/',
      '/img//.webp',
    ])
      expect((await get(address)).status, address.slice(0, 60)).toBe(404)
  })

  it('never gives an error, whatever it says', async () => {
    const { get } = open()
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'brand/steam',
        '..',
        '%2e%2e',
        '%00',
        'goods_thumb_3_4',
        'flag/us',
        '.webp',
        '.svg',
        '?w=',
        '&blur=9',
        '//',
        '\\',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const address = `http://shop.example/img/${pieces.join('')}`
        if (!URL.canParse(address)) return
        expect([200, 404]).toContain((await get(address)).status)
      }),
      { numRuns: 300 },
    )
  })
})
