import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentEncoding } from './encoding.ts'

export interface StaticFile {
  readonly type: string
  readonly etag: string
  /** Built names carry a content hash: they may be kept for ever. */
  readonly isImmutable: boolean
  readonly bodyIn: (
    encoding: ContentEncoding,
  ) => Promise<{ readonly body: Buffer; readonly encoding: ContentEncoding }>
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** The files of a folder by path ("/assets/x.js"), listed once: what is not listed is not served, whatever the path says. */
export async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, StaticFile>()
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || !type || entry.parentPath.includes('.vite')) continue
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(folder.length).replaceAll('\\', '/')
    const body = await readFile(file)
    files.set(path, staticFile(body, type, /^\/(?:console\/)?assets\//.test(path)))
  }
  return files
}

/** Compressed when first asked for, at the best quality, and kept. */
function staticFile(body: Buffer, type: string, isImmutable: boolean): StaticFile {
  const kept = new Map<ContentEncoding, Promise<Buffer>>([['identity', Promise.resolve(body)]])
  const isText = !/^image\/(?:png|x-icon)|^font/.test(type)
  return {
    type,
    isImmutable,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    async bodyIn(wanted) {
      const encoding = isText ? wanted : 'identity'
      let made = kept.get(encoding)
      if (!made) {
        made =
          encoding === 'br'
            ? toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
            : toGzip(body, { level: 9 })
        kept.set(encoding, made)
      }
      return { body: await made, encoding }
    },
  }
}
