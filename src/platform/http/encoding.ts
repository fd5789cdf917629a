import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, gzip } from 'node:zlib'

export type ContentEncoding = 'br' | 'gzip' | 'identity'

/** A text body in the encodings browsers ask for, made once. */
export interface EncodedBody {
  readonly br: Buffer
  readonly gzip: Buffer
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
const BROTLI_QUALITY = 5

export async function encodeBody(text: string): Promise<EncodedBody> {
  const bytes = Buffer.from(text)
  const [br, gz] = await Promise.all([
    toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    toGzip(bytes, { level: 6 }),
  ])
  return { br, gzip: gz }
}

/** The best encoding a client takes (RFC 9110 §12.5.3, without weights but for `;q=0`). */
export function acceptedEncoding(header: string | undefined): ContentEncoding {
  if (!header) return 'identity'
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(header)) return 'br'
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(header)) return 'gzip'
  return 'identity'
}

export function bodyIn(body: EncodedBody, encoding: ContentEncoding): Buffer {
  return encoding === 'identity' ? brotliDecompressSync(body.br) : body[encoding]
}
