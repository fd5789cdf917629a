import type { CoverRatio } from './cover/recipe.ts'
import { SMALL_WIDTH } from './cover/sheet.ts'

/**
 * The address of a picture: `/img/{style}/{code}.{extension}?w=&h=&q=&…`. Pure and free of Node, so that pages in the
 * browser build the same addresses as the server.
 */

/** One way of cutting a style: the size it is specified at, and the sheet a cover is drawn on for it. */
type Shape = { width: number; height: number; ratio: CoverRatio }

/** The first shape is the style's usual one; `maxWidth` is what its largest place on a dense screen can use. */
type Style = { shapes: readonly [Shape, ...Shape[]]; maxWidth: number }

export const PICTURE_STYLES = {
  article: { shapes: [{ width: 386, height: 241, ratio: '16:10' }], maxWidth: 1280 },
  home_b: { shapes: [{ width: 1125, height: 703, ratio: '16:10' }], maxWidth: 2250 },
  goods_thumb_1_1: { shapes: [{ width: 360, height: 360, ratio: '1:1' }], maxWidth: 830 },
  goods_thumb_3_4: {
    shapes: [
      { width: 240, height: 320, ratio: '3:4' },
      { width: 120, height: 158, ratio: '3:4' },
    ],
    maxWidth: 830,
  },
  discount: {
    shapes: [
      { width: 415, height: 415, ratio: '1:1' },
      { width: 260, height: 130, ratio: '2:1' },
    ],
    maxWidth: 830,
  },
  national_flag: { shapes: [{ width: 40, height: 40, ratio: '1:1' }], maxWidth: 158 },
  /** Where what a field asks for is found; the whole of it is shown. */
  field_help: { shapes: [{ width: 640, height: 400, ratio: '16:10' }], maxWidth: 1280 },
  /** What other sites show beside a link (Open Graph). */
  link_preview: { shapes: [{ width: 1200, height: 630, ratio: 'card' }], maxWidth: 1200 },
} as const satisfies Record<string, Style>

export type PictureStyle = keyof typeof PICTURE_STYLES

/** The only widths drawn: few renditions a picture, however many addresses are asked for. */
export const PICTURE_WIDTHS = [
  40, 80, 120, 158, 240, 260, 360, 386, 415, 480, 640, 720, 768, 830, 1125, 1200, 1280, 2250,
] as const

/** `auto` is the best format the browser accepts; `svg` exists for drawn pictures only. */
export const PICTURE_EXTENSIONS = ['webp', 'avif', 'png', 'jpg', 'svg', 'auto'] as const
export type PictureExtension = (typeof PICTURE_EXTENSIONS)[number]

const SMALL_DRAWING = 80

export const DEFAULT_QUALITY = 90
const QUALITY_STEP = 5

/** Absent or 0 means untouched. */
export type PictureEffects = {
  /** 1–50 */
  blur?: number
  /** 50–399 */
  sharpen?: number
  /** −100–100, like the next two */
  brightness?: number
  contrast?: number
  saturation?: number
}

/** In the order they stand in an address; also the order they are signed in. */
export const EFFECTS = [
  { name: 'blur', min: 1, max: 50 },
  { name: 'sharpen', min: 50, max: 399 },
  { name: 'brightness', min: -100, max: 100 },
  { name: 'contrast', min: -100, max: 100 },
  { name: 'saturation', min: -100, max: 100 },
] as const satisfies readonly { name: keyof PictureEffects; min: number; max: number }[]

export type PictureRequest = {
  style: PictureStyle
  code: string
  extension: PictureExtension
  width: number
  height: number
  ratio: CoverRatio
  quality: number
  effects: PictureEffects
  signature: string | null
  version: string | null
  /** For right-to-left pages: covers hang on their right margin there. */
  isMirrored: boolean
}

/** Pictures that operators have sent are kept in the database, by the hash of what they are; a catalogue names them as files of this folder. */
const SENT = /^sent\/([0-9a-f]{64})\.webp$/

export const sentPath = (hash: string): string => `sent/${hash}.webp`
/** The hash that a file's name stands for; null for a file of this machine. */
export const sentHash = (path: string): string | null => SENT.exec(path)?.[1] ?? null

const CODE_MAX_LENGTH = 120
const PATH = /^\/img\/([a-z0-9_]+)\/([A-Za-z0-9-]+(?:\/[A-Za-z0-9-]+)*)\.([a-z]+)$/

/**
 * Null for what names no picture (unknown style or extension, any character outside the code's alphabet). Numbers out of
 * range are clamped, what is no number counts as absent, of duplicates the first counts.
 */
export function parsePictureAddress(
  url: Pick<URL, 'pathname' | 'searchParams'>,
): PictureRequest | null {
  if (url.pathname.length > CODE_MAX_LENGTH + 40) return null
  const [, style, code, extension] = PATH.exec(url.pathname) ?? []
  if (code === undefined || code.length > CODE_MAX_LENGTH) return null
  if (!isStyle(style) || !isExtension(extension)) return null
  const query = url.searchParams
  return {
    style,
    code,
    extension,
    ...sizeOf(style, extension, readNumber(query, 'w'), readNumber(query, 'h')),
    quality:
      extension === 'svg'
        ? DEFAULT_QUALITY
        : stepQuality(readNumber(query, 'q') ?? DEFAULT_QUALITY),
    effects: extension === 'svg' ? {} : clampEffects((name) => readNumber(query, name)),
    signature: query.get('s'),
    version: query.get('v'),
    isMirrored: query.get('dir') === 'rtl',
  }
}

const isStyle = (text: string | undefined): text is PictureStyle =>
  text !== undefined && Object.hasOwn(PICTURE_STYLES, text)
const isExtension = (text: string | undefined): text is PictureExtension =>
  PICTURE_EXTENSIONS.some((known) => known === text)

function readNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  return text !== null && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** The shape whose proportions come nearest to what is asked for; width from the list; height follows. */
function sizeOf(
  style: PictureStyle,
  extension: PictureExtension,
  askedWidth: number | undefined,
  askedHeight: number | undefined,
) {
  const { shapes, maxWidth }: Style = PICTURE_STYLES[style]
  const shape = chooseShape(shapes, askedWidth, askedHeight)
  const wanted =
    askedWidth ??
    (askedHeight === undefined ? undefined : (askedHeight * shape.width) / shape.height)
  const asked = extension === 'svg' ? sizeOfDrawing(wanted) : wanted
  const width = asked === undefined ? shape.width : nearestWidth(Math.min(asked, maxWidth))
  return { width, height: Math.round((width * shape.height) / shape.width), ratio: shape.ratio }
}

/** A drawing has no size of its own, so all sizes share one rendition; but small ones show less. */
function sizeOfDrawing(width: number | undefined): number | undefined {
  return width !== undefined && width <= SMALL_WIDTH ? SMALL_DRAWING : undefined
}

function chooseShape(
  shapes: readonly [Shape, ...Shape[]],
  width: number | undefined,
  height: number | undefined,
): Shape {
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return shapes[0]
  const asked = Math.log(Math.min(width, 1e6) / Math.min(height, 1e6))
  const distance = (shape: Shape) => Math.abs(Math.log(shape.width / shape.height) - asked)
  return shapes.reduce<Shape>(
    (best, shape) => (distance(shape) < distance(best) ? shape : best),
    shapes[0],
  )
}

function nearestWidth(asked: number): number {
  return PICTURE_WIDTHS.reduce<number>(
    (best, width) => (Math.abs(width - asked) < Math.abs(best - asked) ? width : best),
    PICTURE_WIDTHS[0],
  )
}

const clamp = (value: number, min: number, max: number) =>
  Math.min(max, Math.max(min, Math.round(value)))

/** 1–100 in steps of 5, so that quality cannot multiply renditions. */
function stepQuality(value: number): number {
  return Math.max(QUALITY_STEP, Math.round(clamp(value, 1, 100) / QUALITY_STEP) * QUALITY_STEP)
}

function clampEffects(asked: (name: keyof PictureEffects) => number | undefined): PictureEffects {
  const effects: PictureEffects = {}
  for (const { name, min, max } of EFFECTS) {
    const value = asked(name)
    if (value === undefined || Number.isNaN(value)) continue
    const clamped = clamp(value, min, max)
    if (clamped !== 0) effects[name] = clamped
  }
  return effects
}

export type PictureOptions = PictureEffects & {
  width?: number
  height?: number
  quality?: number
  extension?: PictureExtension
  /** The picture's content hash; with it the answer is cached for good. */
  version?: string | null
  isMirrored?: boolean
}

/** What the options of an address come to once every limit has been applied. */
export function pictureRequest(
  style: PictureStyle,
  code: string,
  options: PictureOptions = {},
): PictureRequest {
  const extension = options.extension ?? 'webp'
  return {
    style,
    code,
    extension,
    ...sizeOf(style, extension, options.width, options.height),
    quality:
      extension === 'svg' ? DEFAULT_QUALITY : stepQuality(options.quality ?? DEFAULT_QUALITY),
    effects: extension === 'svg' ? {} : clampEffects((name) => options[name]),
    signature: null,
    version: options.version ?? null,
    isMirrored: options.isMirrored ?? false,
  }
}

/** The address of a picture without effects: effects need a signature, which only the server can write. */
export function pictureUrl(
  style: PictureStyle,
  code: string,
  options: Omit<PictureOptions, keyof PictureEffects> = {},
): string {
  return addressOf(pictureRequest(style, code, options))
}

/** The shortest address that parses back to the request: what equals the style's default is left out. */
export function addressOf(request: PictureRequest): string {
  const { style, code, extension } = request
  const usual = PICTURE_STYLES[style].shapes[0]
  const query = new URLSearchParams()
  if (request.width !== usual.width || request.height !== usual.height) {
    query.set('w', String(request.width))
    if (request.height !== Math.round((request.width * usual.height) / usual.width))
      query.set('h', String(request.height))
  }
  if (request.quality !== DEFAULT_QUALITY) query.set('q', String(request.quality))
  for (const { name } of EFFECTS)
    if (request.effects[name] !== undefined) query.set(name, String(request.effects[name]))
  if (request.isMirrored) query.set('dir', 'rtl')
  if (request.version !== null) query.set('v', request.version)
  if (request.signature !== null) query.set('s', request.signature)
  const text = query.toString()
  return `/img/${style}/${code}.${extension}${text ? `?${text}` : ''}`
}

/** What an address means, spelled in one way only: the text that is signed and that names a rendition. */
export function canonicalPicture(request: PictureRequest): string {
  const effects = EFFECTS.map(({ name }) => `${name}=${request.effects[name] ?? 0}`).join('&')
  const { style, code, extension, width, height, quality, isMirrored } = request
  const side = isMirrored ? '&dir=rtl' : ''
  return `/img/${style}/${code}.${extension}?w=${width}&h=${height}&q=${quality}&${effects}${side}`
}
