import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { cover } from '../cover/cover.ts'
import { figure } from '../cover/figures.ts'
import { flag } from '../cover/flag.ts'
import { goodsArt } from '../cover/goods-art.ts'
import { scene } from '../cover/scene.ts'
import { SMALL_WIDTH } from '../cover/sheet.ts'
import type { PictureEffects, PictureRequest } from '../rules.ts'
import { isPhotograph, type PictureCrop, type PictureRecipe } from '../schema.ts'
import { shownArea } from './crop.ts'
import type { BitmapFormat, PictureForm, SvgEncoding } from './negotiation.ts'
import type { MakePicture } from './make.ts'

const MAX_FILE_BYTES = 32 * 1024 * 1024
const MAX_PIXELS = 25_000_000
const TIMEOUT_SECONDS = 15

/** Process-wide: pictures share the machine with requests, and no input is ever read twice. */
export function tameSharp(): void {
  sharp.concurrency(1)
  sharp.cache(false)
}

/** Draws or decodes, in this very process. */
export const makePicture = async (
  recipe: PictureRecipe,
  request: PictureRequest,
  form: PictureForm,
  sent: Uint8Array | null = null,
): ReturnType<MakePicture> => {
  if (form.format !== 'svg') return renderBitmap(recipe, request, form.format, sent)
  const svg = drawingOf(recipe, request)
  return svg === null ? null : encodeSvg(svg, form.encoding)
}

/** The SVG of a drawn picture; null for one that comes from a file. */
function drawingOf(
  recipe: PictureRecipe,
  { ratio, width, isMirrored }: PictureRequest,
): string | null {
  switch (recipe.kind) {
    case 'cover':
      return cover(recipe.recipe, { ratio, isMirrored, isSmall: width <= SMALL_WIDTH })
    case 'scene':
      return scene(recipe.scene, ratio, recipe.isMirrored)
    case 'figure':
      return figure(recipe.figure)
    case 'goods':
      return goodsArt(recipe.view, recipe.goods, ratio, isMirrored)
    case 'flag':
      return flag(recipe.country)
    case 'file':
    case 'sent':
      return null
  }
}

/** Flat areas, ink, and the steps between them at their edges; in a larger picture they would show. */
const FEW_COLOURS = 16
const FEW_COLOURS_WIDTH = 160

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

async function encodeSvg(svg: string, encoding: SvgEncoding): Promise<Buffer> {
  const bytes = Buffer.from(svg)
  switch (encoding) {
    case 'br':
      return compress.br(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    case 'gzip':
      return compress.gzip(bytes, { level: 9 })
    case 'identity':
      return bytes
  }
}

/** @returns null when the recipe's file is missing, too large, or no picture */
async function renderBitmap(
  recipe: PictureRecipe,
  request: PictureRequest,
  format: BitmapFormat,
  sent: Uint8Array | null,
): Promise<Buffer | null> {
  const svg = drawingOf(recipe, request)
  if (svg !== null) {
    const drawing = sharp(Buffer.from(sizedSvg(svg, request.width)))
    return encode(finish(drawing, request), request, format, true).toBuffer()
  }
  if (!isPhotograph(recipe)) return null
  const source = recipe.kind === 'file' ? await readPicture(recipe.path) : bitmapOf(sent)
  if (!source) return null
  // Truncated, beyond the pixel limit, or not what its first bytes say.
  return photographOf(source, recipe.crop, request)
    .then((photograph) => encode(finish(photograph, request), request, format, false).toBuffer())
    .catch(() => null)
}

async function photographOf(
  source: Buffer,
  crop: PictureCrop | undefined,
  { style, width, height, ratio }: PictureRequest,
): Promise<Sharp> {
  const photograph = sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient()
  if (!crop || style === 'field_help') return photograph
  const { autoOrient: size } = await photograph.metadata()
  return photograph.extract(shownArea(crop, ratio, size, width / height))
}

/** Written at the size that is wanted, so that edges are rasterised once and never resampled. */
function sizedSvg(svg: string, width: number): string {
  return svg.replace(
    /^<svg xmlns="[^"]*" viewBox="0 0 (\d+) (\d+)"/,
    (start, w: string, h: string) => {
      return `${start} width="${width}" height="${Math.round((width * Number(h)) / Number(w))}"`
    },
  )
}

function finish(image: Sharp, { style, width, height, effects }: PictureRequest): Sharp {
  // What is to be found on a screen may be at its edge.
  const fit =
    style === 'field_help'
      ? ({ fit: 'contain', background: '#ffffff' } as const)
      : ({ fit: 'cover' } as const)
  return applyEffects(
    image.resize(width, height, fit).timeout({ seconds: TIMEOUT_SECONDS }),
    effects,
  )
}

function applyEffects(image: Sharp, effects: PictureEffects): Sharp {
  const { blur, sharpen, brightness = 0, contrast = 0, saturation = 0 } = effects
  let result = image
  if (brightness !== 0 || saturation !== 0)
    result = result.modulate({ brightness: 1 + brightness / 100, saturation: 1 + saturation / 100 })
  if (contrast !== 0) {
    const gain = 1 + contrast / 100
    result = result.linear(gain, 128 * (1 - gain))
  }
  if (blur !== undefined) result = result.blur(0.3 + blur / 2)
  if (sharpen !== undefined)
    result = result.sharpen({ sigma: 1, m1: sharpen / 200, m2: sharpen / 50 })
  return result
}

function encode(
  image: Sharp,
  request: PictureRequest,
  format: BitmapFormat,
  drawn: boolean,
): Sharp {
  const { quality } = request
  switch (format) {
    case 'webp':
      // Flat art without loss is as small as with it at this quality, and lettering stays crisp.
      return drawn && quality >= 90 && Object.keys(request.effects).length === 0
        ? image.webp({ lossless: true, effort: 2 })
        : image.webp({ quality, effort: 4 })
    case 'avif':
      // AVIF keeps what WebP keeps at a lower figure. Effort 2: a fifth of the time of 4 for 8% more bytes.
      return image.avif({ quality: Math.max(1, quality - 15), effort: 2 })
    case 'png':
      // Small flat art has few colours: a third of the bytes, which go along with every mail that shows it.
      return drawn && request.width <= FEW_COLOURS_WIDTH
        ? image.png({ palette: true, colours: FEW_COLOURS, effort: 10, dither: 0 })
        : image.png({ compressionLevel: 9 })
    case 'jpg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true })
  }
}

async function readPicture(path: string): Promise<Buffer | null> {
  try {
    const { size } = await stat(path)
    if (size > MAX_FILE_BYTES) return null
    const bytes = await readFile(path)
    return isBitmap(bytes) ? bytes : null
  } catch {
    return null
  }
}

const bitmapOf = (bytes: Uint8Array | null): Buffer | null => {
  const source = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return source && isBitmap(source) ? source : null
}

/** By first bytes, so that a file never reaches the SVG, PDF or other loaders. */
function isBitmap(bytes: Buffer): boolean {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to)
  return (
    text(0, 3) === '\xff\xd8\xff' ||
    text(0, 8) === '\x89PNG\r\n\x1a\n' ||
    text(0, 4) === 'GIF8' ||
    (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') ||
    ['ftypavif', 'ftypavis', 'ftypmif1'].includes(text(4, 12))
  )
}
