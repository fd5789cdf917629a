import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { publicIdOf, UPLOAD_MAX_BYTES, uploadAddress } from '../rules.ts'
import { readPicture } from './read-picture.ts'

const noise = (width: number, height: number, seed = 7) => {
  const bytes = Buffer.alloc(width * height * 3)
  for (let index = 0, state = seed; index < bytes.length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) >>> 0
    bytes[index] = state >>> 16
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
}
const plain = (width: number, height: number, background = '#c03050') =>
  sharp({ create: { width, height, channels: 3, background } })
const refusal = (bytes: Uint8Array) =>
  readPicture(bytes, 'avatar').then(
    () => 'taken',
    (error: unknown) => (isAppError(error) ? error.code : error),
  )

describe('a picture that is taken', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('comes out of %s as a square WebP', async (format) => {
    const { content, width, height } = await readPicture(
      await plain(640, 400).toFormat(format).toBuffer(),
      'avatar',
    )
    expect(await sharp(content).metadata()).toMatchObject({
      format: 'webp',
      width: 320,
      height: 320,
    })
    expect([width, height]).toEqual([320, 320])
  })

  it('keeps its proportions for a ticket, at most 2000 pixels a side, and is not enlarged', async () => {
    const sizeOf = async (w: number, h: number) => {
      const { width, height } = await readPicture(await plain(w, h).png().toBuffer(), 'ticket')
      return [width, height]
    }
    expect(await sizeOf(4000, 1000)).toEqual([2000, 500])
    expect(await sizeOf(120, 80)).toEqual([120, 80])
  })

  it('loses what its file says about person and place, and stands upright', async () => {
    const upright = await plain(60, 20)
      .composite([{ input: await plain(30, 20, '#0000ff').png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer()
    const sent = await sharp(upright)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExif({
        IFD0: { Copyright: 'Erika Mustermann', Orientation: '6' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
      })
      .toBuffer()
    expect(sent.includes('Erika Mustermann')).toBe(true)
    const { content, width, height } = await readPicture(sent, 'ticket')
    const read = await sharp(content).metadata()
    expect([read.exif, read.icc, read.xmp, read.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(content.includes('Mustermann')).toBe(false)
    expect([width, height]).toEqual([20, 60])
  })

  it('is the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map((colour) => plain(40, 40, colour).png().toBuffer()),
    )
    const animated = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100, 100] })
      .toBuffer()
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(3)
    const { content } = await readPicture(animated, 'avatar')
    expect((await sharp(content, { animated: true }).metadata()).pages ?? 1).toBe(1)
    expect((await sharp(content).stats()).dominant.r).toBeGreaterThan(200)
  })

  it('brings along nothing that was hidden in it or behind it', async () => {
    const script = '<script>alert(document.domain)</script>'
    const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from(script)])
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const picture = await plain(50, 50)
        .toFormat(format)
        .withMetadata()
        .withExif({ IFD0: { ImageDescription: script } })
        .toBuffer()
      const { content } = await readPicture(
        Buffer.concat([picture, Buffer.from(script), zip]),
        'avatar',
      )
      expect(content.includes('script')).toBe(false)
      expect(content.includes('PK\x03\x04')).toBe(false)
    }
  })
})

describe('a file that is refused', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG with a script', Buffer.from(svg)],
    ['SVG behind an XML declaration', Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['compressed SVG', gzipSync(svg)],
    ['HTML', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n')],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01', 'latin1')],
    ['an archive', Buffer.from('PK\x03\x04', 'latin1')],
    ['GIF that is also a script', Buffer.from('GIF89a/*<svg onload=alert(1)>*/=1;')],
    [
      'a picture behind other bytes',
      Buffer.concat([Buffer.from('\n'), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')]),
    ],
  ])('is of the wrong kind: %s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe('upload_format')
  })

  it.each(['gif', 'tiff', 'avif'] as const)('is of the wrong kind: a real %s', async (format) => {
    expect(await refusal(await plain(20, 20).toFormat(format).toBuffer())).toBe('upload_format')
  })

  it('is too large by one byte, whatever it is', async () => {
    const picture = await plain(50, 50).png().toBuffer()
    expect(
      await refusal(Buffer.concat([picture, Buffer.alloc(UPLOAD_MAX_BYTES - picture.length + 1)])),
    ).toBe('upload_size')
    expect(await refusal(Buffer.alloc(UPLOAD_MAX_BYTES + 1))).toBe('upload_size')
    expect(
      await refusal(Buffer.concat([picture, Buffer.alloc(UPLOAD_MAX_BYTES - picture.length)])),
    ).toBe('taken')
  })

  it('would unpack to more than 25 megapixels from a few kilobytes', async () => {
    const bomb = await plain(5001, 5000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(200_000)
    expect(await refusal(bomb)).toBe('upload_size')
    expect(await refusal(await plain(5000, 5000).png({ compressionLevel: 9 }).toBuffer())).toBe(
      'taken',
    )
  })

  it('claims a size it does not have', async () => {
    const png = await plain(20, 20).png().toBuffer()
    const lying = Buffer.from(png)
    lying.writeUInt32BE(0x7fffffff, 16)
    expect(['upload_size', 'upload_failed']).toContain(await refusal(lying))
  })

  it.each(['png', 'jpeg', 'webp'] as const)('ends too early: %s', async (format) => {
    const whole = await noise(400, 300).toFormat(format).toBuffer()
    for (const share of [0.05, 0.5, 0.9])
      expect(await refusal(whole.subarray(0, Math.floor(whole.length * share)))).toBe(
        'upload_failed',
      )
  })

  it('starts like a picture and is none, in any way', async () => {
    const starts = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\x10\x00\x00\x00WEBP'].map((text) =>
      Buffer.from(text, 'latin1'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 400 }),
        async (start, rest) => {
          expect(['upload_failed', 'upload_format', 'upload_size']).toContain(
            await refusal(Buffer.concat([start, rest])),
          )
        },
      ),
      { numRuns: 150 },
    )
  })

  it('any other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await refusal(bytes)).toBe('upload_format')
      }),
      { numRuns: 150 },
    )
  })
})

it('an address holds the id and nothing else', () => {
  const id = 'abcdefghijklmnopqrstuv'
  expect(publicIdOf(uploadAddress(id))).toBe(id)
  for (const path of [
    `/img/upload/${id}`,
    `/img/upload/${id}x.webp`,
    `/img/upload/../${id}.webp`,
    `/img/upload/${id}.webp/`,
    `/img/upload/${id}.svg`,
  ]) {
    expect(publicIdOf(path)).toBeNull()
  }
})
