import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ICON_FOLDER } from './icons.ts'

const file = (name: string) => readFileSync(join(ICON_FOLDER, name))

test.each([
  ['icon-192.png', 192],
  ['icon-512.png', 512],
  ['icon-maskable-512.png', 512],
  ['apple-touch-icon.png', 180],
])('%s is a square of its size', async (name, size) => {
  expect(await sharp(file(name)).metadata()).toMatchObject({
    format: 'png',
    width: size,
    height: size,
  })
})

test.each(['icon-maskable-512.png', 'apple-touch-icon.png'])(
  '%s has no hole that a phone would fill',
  async (name) => {
    expect((await sharp(file(name)).stats()).isOpaque).toBe(true)
  },
)

test('whatever shape a phone cuts of the maskable icon, the mark is inside', async () => {
  const { data, info } = await sharp(file('icon-maskable-512.png'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [ground] = data
  let outermost = 0
  for (let at = 0; at < data.length; at += info.channels) {
    if (Math.abs((data[at] ?? 0) - (ground ?? 0)) < 40) continue
    const pixel = at / info.channels
    const x = (pixel % info.width) - info.width / 2
    const y = Math.floor(pixel / info.width) - info.height / 2
    outermost = Math.max(outermost, Math.hypot(x, y))
  }
  // The middle four fifths are seen for sure (W3C, maskable icons).
  expect(outermost).toBeGreaterThan(info.width / 8)
  expect(outermost).toBeLessThanOrEqual(info.width * 0.4)
})

test('favicon.ico holds the small sizes', async () => {
  const ico = file('favicon.ico')
  const sizes: number[] = []
  for (let at = 0; at < ico.readUInt16LE(4); at += 1) {
    const entry = 6 + 16 * at
    const start = ico.readUInt32LE(entry + 12)
    const picture = ico.subarray(start, start + ico.readUInt32LE(entry + 8))
    const { width } = await sharp(picture).metadata()
    expect(width).toBe(ico.readUInt8(entry))
    sizes.push(width)
  }
  expect(sizes).toEqual([16, 32, 48])
})
