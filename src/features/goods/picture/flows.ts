import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Db } from '#platform/db.ts'
import { ownBytes } from '#platform/own-bytes.ts'
import type { Secret } from '#platform/secret.ts'
import { openDiskStore } from './pipeline/disk-store.ts'
import type { DiskStore } from './pipeline/disk-store.ts'
import { createDrawingQueue } from './pipeline/drawing-queue.ts'
import { contentType, matchesEtag, negotiate } from './pipeline/negotiation.ts'
import type { PictureForm } from './pipeline/negotiation.ts'
import type { MakePicture } from './pipeline/make.ts'
import { honoured } from './pipeline/signature.ts'
import { cropText, digest, pictureVersion } from './pipeline/version.ts'
import { readPicture } from './queries.ts'
import { canonicalPicture, parsePictureAddress, pictureRequest } from './rules.ts'
import type { PictureRequest } from './rules.ts'
import { isPhotograph, type PictureRecipe } from './schema.ts'

/** What the picture of a code is made from; null for a code that names none. */
export type PictureSource = (code: string) => PictureRecipe | null | Promise<PictureRecipe | null>

export type PictureServiceOptions = {
  /** Belongs to this process alone. */
  cacheDirectory: string
  maxDiskBytes?: number
  maxMemoryBytes?: number
  /** Signs addresses with effects. */
  secret: Secret
  resolve: PictureSource
  /** Draws or decodes, in a process of its own. */
  make: MakePicture
  now: () => Date
  /** Told of cache failures, which cost speed only. */
  onFault?: (error: unknown) => void
  /** At once, and waiting behind them. */
  limits?: { jobs: number; waiting: number }
}

export type PictureHeaders = {
  accept?: string | undefined
  acceptEncoding?: string | undefined
  ifNoneMatch?: string | undefined
}

export type PictureAnswer = {
  status: 200 | 304 | 404 | 503
  headers: Record<string, string>
  body: Uint8Array
}

export type PictureService = {
  handle(url: URL, headers: PictureHeaders): Promise<PictureAnswer>
  /** Since the start; `diskBytes` now. */
  figures(): {
    drawn: number
    fromMemory: number
    fromDisk: number
    refused: number
    diskBytes: number
  }
}

const DEFAULT_DISK_BYTES = 512 * 1024 * 1024
const DEFAULT_MEMORY_BYTES = 32 * 1024 * 1024
const DEFAULT_LIMITS = { jobs: 2, waiting: 200 }
const EMPTY = new Uint8Array(0)

/** `busy`: the queue was full, or nobody is there to draw just now. `absent`: there is no such picture after all (a file that is missing or damaged). */
type Drawn = Uint8Array | 'busy' | 'absent'

/** Answers `/img/…`: address → recipe → memory, disk or a new rendition. */
export function createPictureService(options: PictureServiceOptions): PictureService {
  const renditions = new Renditions(options)
  return {
    handle: (url, headers) => answer(options, renditions, url, headers),
    figures: () => renditions.figures(),
  }
}

async function answer(
  { secret, resolve, make }: PictureServiceOptions,
  renditions: Renditions,
  url: URL,
  headers: PictureHeaders,
): Promise<PictureAnswer> {
  const parsed = parsePictureAddress(url)
  const recipe = parsed && (await resolve(parsed.code))
  if (!parsed || !recipe) return notFound()
  const request = honoured(secret, parsed)
  const { form, vary } = negotiate(request.extension, headers.accept, headers.acceptEncoding)
  if (form.format === 'svg' && isPhotograph(recipe)) return notFound()
  const version = pictureVersion(recipe)
  const content = version ?? (await fileIdentity(recipe))
  if (content === null) return notFound()

  const key = renditionKey(request, form, content)
  const etag = `"${key.slice(0, 20)}"`
  const common = commonHeaders(form, vary, etag, cacheControl(version, request.version))
  if (matchesEtag(headers.ifNoneMatch, etag)) return { status: 304, headers: common, body: EMPTY }
  const body = await renditions.get(key, () => make(recipe, request, form))
  if (body === 'busy') return tooBusy()
  if (body === 'absent') return notFound()
  return { status: 200, headers: { ...common, ...bodyHeaders(form, body) }, body }
}

/** A picture of the shop's own is named by its place in the folder `pictures` of the data directory. */
export function ownPicture(
  recipe: PictureRecipe | null,
  dataDirectory: string,
): PictureRecipe | null {
  return recipe?.kind === 'file'
    ? { ...recipe, path: resolve(dataDirectory, 'pictures', recipe.path) }
    : recipe
}

/** A small cover for a mail as PNG, which every mail program shows; null for a code that names no picture. */
export type DrawCover = (db: Db, code: string, isMirrored: boolean) => Promise<Uint8Array | null>

/** Twice the size it is shown at. */
const COVER_WIDTH = 120
const COVERS_KEPT = 300

/** Draws small covers, and keeps the last of them: a busy shop mails the same few again and again. */
export function createCoverDrawer(make: MakePicture, dataDirectory: string): DrawCover {
  const kept = new LRUCache<string, Uint8Array>({ max: COVERS_KEPT })
  return async (db, code, isMirrored) => {
    const stored = await readPicture(db, code)
    if (!stored) return null
    const key = `${code} ${stored.version} ${isMirrored}`
    const known = stored.version === null ? undefined : kept.get(key)
    if (known) return known
    const recipe = ownPicture(stored.recipe, dataDirectory)
    const height = Math.round((COVER_WIDTH * 4) / 3)
    const request = pictureRequest('goods_thumb_3_4', code, {
      width: COVER_WIDTH,
      height,
      extension: 'png',
      isMirrored: isMirrored && stored.recipe.kind === 'cover',
    })
    const drawn = recipe && (await make(recipe, request, { format: 'png' }))
    if (drawn && stored.version !== null) kept.set(key, ownBytes(drawn))
    return drawn
  }
}

type Draw = () => Promise<Uint8Array | null>

/** Renditions by their key: in memory, on disk, or drawn now; whoever asks for the same meanwhile waits for the same. */
class Renditions {
  readonly #count = { drawn: 0, fromMemory: 0, fromDisk: 0, refused: 0 }
  readonly #memory: LRUCache<string, Uint8Array>
  readonly #queue: ReturnType<typeof createDrawingQueue>
  readonly #underWay = new Map<string, Promise<Drawn>>()
  readonly #onFault: (error: unknown) => void
  readonly #opened: Promise<void>
  #disk: DiskStore | null = null

  constructor(options: PictureServiceOptions) {
    this.#onFault = options.onFault ?? (() => undefined)
    this.#memory = new LRUCache({
      maxSize: options.maxMemoryBytes ?? DEFAULT_MEMORY_BYTES,
      sizeCalculation: (body) => body.byteLength + 200,
    })
    this.#queue = createDrawingQueue(options.limits ?? DEFAULT_LIMITS)
    this.#opened = openDiskStore({
      directory: options.cacheDirectory,
      maxBytes: options.maxDiskBytes ?? DEFAULT_DISK_BYTES,
      now: options.now,
      onFault: this.#onFault,
    }).then((store) => void (this.#disk = store), this.#onFault)
  }

  async get(key: string, draw: Draw): Promise<Drawn> {
    const held = this.#memory.get(key)
    if (held) {
      this.#count.fromMemory += 1
      this.#disk?.touch(key)
      return held
    }
    const shared =
      this.#underWay.get(key) ?? this.#load(key, draw).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, shared)
    return shared
  }

  async #load(key: string, draw: Draw): Promise<Drawn> {
    await this.#opened
    const stored = await this.#disk?.get(key)
    if (stored) {
      this.#count.fromDisk += 1
      this.#memory.set(key, ownBytes(stored))
      return stored
    }
    const body = await this.#drawNow(draw)
    if (typeof body === 'string') return body
    this.#count.drawn += 1
    this.#memory.set(key, ownBytes(body))
    await this.#disk?.set(key, body)
    return body
  }

  async #drawNow(draw: Draw): Promise<Drawn> {
    const job = this.#queue.run(draw)
    if (!job) {
      this.#count.refused += 1
      return 'busy'
    }
    try {
      return (await job) ?? 'absent'
    } catch (error) {
      this.#onFault(error)
      return 'busy'
    }
  }

  figures() {
    return { ...this.#count, diskBytes: this.#disk?.bytes() ?? 0 }
  }
}

/** Names a rendition by everything its bytes depend on. The code is not among them: equal pictures share renditions. */
function renditionKey(request: PictureRequest, form: PictureForm, content: string): string {
  const encoding = form.format === 'svg' ? form.encoding : ''
  const meaning = canonicalPicture({ ...request, code: 'any', extension: form.format })
  return digest(`${meaning}|${request.ratio}|${encoding}|${content}`).toString('hex').slice(0, 40)
}

/** Stands for the content of a file whose hash nobody took; null when it is not there. */
async function fileIdentity(recipe: PictureRecipe): Promise<string | null> {
  if (recipe.kind !== 'file') return null
  const found = await stat(recipe.path).catch(() => null)
  return found?.isFile()
    ? `${recipe.path}|${found.size}|${found.mtimeMs}${cropText(recipe.crop)}`
    : null
}

/** What is asked for in another version than this process knows may be newer than what it has read: nobody keeps the old picture under the new one's address. */
function cacheControl(known: string | null, asked: string | null): string {
  if (known === null || asked === null) return 'public, max-age=3600'
  return known === asked ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function commonHeaders(
  form: PictureForm,
  vary: string | null,
  etag: string,
  cacheControl: string,
): Record<string, string> {
  return {
    'Cache-Control': cacheControl,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    ...(vary ? { Vary: vary } : {}),
    ...(form.format === 'svg'
      ? {
          'Content-Security-Policy':
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
        }
      : {}),
  }
}

function bodyHeaders(form: PictureForm, body: Uint8Array): Record<string, string> {
  return {
    'Content-Type': contentType(form),
    'Content-Length': String(body.byteLength),
    ...(form.format === 'svg' && form.encoding !== 'identity'
      ? { 'Content-Encoding': form.encoding }
      : {}),
  }
}

function notFound(): PictureAnswer {
  return {
    status: 404,
    headers: { 'Cache-Control': 'public, max-age=60', 'X-Content-Type-Options': 'nosniff' },
    body: EMPTY,
  }
}

function tooBusy(): PictureAnswer {
  return {
    status: 503,
    headers: {
      'Cache-Control': 'no-store',
      'Retry-After': '2',
      'X-Content-Type-Options': 'nosniff',
    },
    body: EMPTY,
  }
}
