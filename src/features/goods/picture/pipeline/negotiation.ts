import type { PictureExtension } from '../rules.ts'

export type BitmapFormat = 'webp' | 'avif' | 'png' | 'jpg'
export type SvgEncoding = 'br' | 'gzip' | 'identity'

/** The form a picture is sent in. */
export type PictureForm = { format: BitmapFormat } | { format: 'svg'; encoding: SvgEncoding }

/** The form this client gets, and the request header the choice depended on. */
export function negotiate(
  extension: PictureExtension,
  accept: string | undefined,
  acceptEncoding: string | undefined,
): { form: PictureForm; vary: 'Accept' | 'Accept-Encoding' | null } {
  switch (extension) {
    case 'svg':
      return {
        form: { format: 'svg', encoding: svgEncoding(acceptEncoding) },
        vary: 'Accept-Encoding',
      }
    case 'webp':
      return { form: { format: lists(accept, 'image/avif') ? 'avif' : 'webp' }, vary: 'Accept' }
    case 'auto':
      return { form: { format: autoFormat(accept) }, vary: 'Accept' }
    default:
      return { form: { format: extension }, vary: null }
  }
}

function autoFormat(accept: string | undefined): BitmapFormat {
  if (lists(accept, 'image/avif')) return 'avif'
  return lists(accept, 'image/webp') ? 'webp' : 'png'
}

function svgEncoding(acceptEncoding: string | undefined): SvgEncoding {
  if (lists(acceptEncoding, 'br')) return 'br'
  return lists(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
}

/** Named in the header with a weight above 0. A wildcard does not count: a client that means it names it. */
function lists(header: string | undefined, name: string): boolean {
  return (header ?? '').split(',').some((entry) => {
    const [token = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    return token === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

const TYPES: Readonly<Record<PictureForm['format'], string>> = {
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
  jpg: 'image/jpeg',
  svg: 'image/svg+xml; charset=utf-8',
}

export function contentType(form: PictureForm): string {
  return TYPES[form.format]
}

/** RFC 9110 §13.1.2: weak comparison against a list, or `*`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === etag
  })
}
