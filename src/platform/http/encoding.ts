import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { ownBytes } from '../own-bytes.ts'

export type ContentEncoding = 'br' | 'gzip' | 'identity'

/** A text body, compressed once the way nearly every browser takes it. */
export interface EncodedBody {
  readonly br: Buffer
  /** Made when the first client asks for it. */
  gzip?: Buffer
}

const toBrotli = promisify(brotliCompress)
const BROTLI_QUALITY = 5
const GZIP_LEVEL = 6

export async function encodeBody(text: string | Buffer): Promise<EncodedBody> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const br = await toBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  return { br: ownBytes(br) }
}

/** The best encoding a client takes (RFC 9110 §12.5.3, without weights but for `;q=0`). */
export function acceptedEncoding(header: string | undefined): ContentEncoding {
  if (!header) return 'identity'
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(header)) return 'br'
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(header)) return 'gzip'
  return 'identity'
}

export function bodyIn(body: EncodedBody, encoding: ContentEncoding): Buffer {
  if (encoding === 'br') return body.br
  if (encoding === 'identity') return brotliDecompressSync(body.br)
  return (body.gzip ??= ownBytes(gzipSync(brotliDecompressSync(body.br), { level: GZIP_LEVEL })))
}
