/** Writes the icons that take no drawing, from src/storefront/public/icon.svg: `node scripts/icons.ts` after a change of it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { PROJECT_ROOT } from '#platform/project.ts'

export const ICON_FOLDER = join(PROJECT_ROOT, 'src', 'storefront', 'public')
const SIZES_IN_ICO = [16, 32, 48]
/** Of a maskable icon the middle, four fifths across, is always seen; the mark stays well inside it. */
const MASKABLE_SCALE = 0.66

if (import.meta.main)
  for (const [name, bytes] of Object.entries(await drawIcons()))
    writeFileSync(join(ICON_FOLDER, name), bytes)

/** Every file by its name. */
export async function drawIcons(): Promise<Record<string, Buffer>> {
  const svg = readFileSync(join(ICON_FOLDER, 'icon.svg'), 'utf8')
  const ground = /<rect[^>]*fill="(#[0-9a-f]{6})"/.exec(svg)?.[1]
  if (ground === undefined) throw new Error('icon.svg has no ground')
  const ico = await Promise.all(SIZES_IN_ICO.map((size) => draw(svg, size)))
  return {
    'favicon.ico': icoOf(ico),
    'icon-192.png': await draw(svg, 192),
    'icon-512.png': await draw(svg, 512),
    'icon-maskable-512.png': await onGround(svg, 512, ground),
    // A phone of Apple's rounds the corners itself and shows what is transparent as black.
    'apple-touch-icon.png': await onGround(svg, 180, ground, 0.9),
  }
}

function draw(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: 72 * Math.ceil(size / 35) })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

async function onGround(
  svg: string,
  size: number,
  ground: string,
  scale = MASKABLE_SCALE,
): Promise<Buffer> {
  const mark = await draw(svg, Math.round(size * scale))
  return sharp({ create: { width: size, height: size, channels: 3, background: ground } })
    .composite([{ input: mark, gravity: 'centre' }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

/** An ICO whose pictures are PNG, as every browser of today reads it: a head, an entry each, the pictures. */
function icoOf(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let at = 6 + 16 * pictures.length
  const entries = pictures.map((picture, index) => {
    const entry = Buffer.alloc(16)
    const size = SIZES_IN_ICO[index] ?? 0
    entry.writeUInt8(size, 0)
    entry.writeUInt8(size, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(picture.length, 8)
    entry.writeUInt32LE(at, 12)
    at += picture.length
    return entry
  })
  return Buffer.concat([head, ...entries, ...pictures])
}
