import sharp, { type Metadata, type Sharp } from 'sharp'
import { AppError } from '#kernel/error.ts'
import {
  AVATAR_PIXELS,
  formatOf,
  maxBytesOf,
  SHOP_PICTURE_PIXELS,
  TAKEN_FORMATS,
  TICKET_MAX_PIXELS,
  UPLOAD_MAX_PIXELS,
  type ReadPicture,
  type UploadPurpose,
} from '../rules.ts'

const QUALITY = 82
/** It is cut and encoded again for each place it is shown at. */
const SHOP_QUALITY = 92
const TIMEOUT_SECONDS = 15

/**
 * Decodes a file somebody sent and encodes what is seen on it as WebP: upright, without metadata, the first frame only. Only the process
 * for pictures does it. Throws upload_size (over 5 MiB, of operators 10, or 25 megapixels), upload_format (a kind that is not taken) and upload_failed
 * (not to be decoded to its end).
 */
export async function readPicture(bytes: Uint8Array, purpose: UploadPurpose): Promise<ReadPicture> {
  if (bytes.length > maxBytesOf(purpose)) throw new AppError('upload_size')
  const format = formatOf(bytes)
  if (!format || !TAKEN_FORMATS[purpose].includes(format)) throw new AppError('upload_format')
  await checkHeader(bytes, format)
  return encode(bytes, purpose)
}

/** Before anything is decoded: the decoder sees the same kind as we do, and how much it would unpack. */
async function checkHeader(bytes: Uint8Array, format: string): Promise<void> {
  const header = await opened(bytes, false).metadata().catch(failed)
  if (header.format !== (format === 'avif' ? 'heif' : format)) throw new AppError('upload_format')
  if (pixelsOf(header) > UPLOAD_MAX_PIXELS) throw new AppError('upload_size')
}

function pixelsOf({ width, height }: Metadata): number {
  return width * height
}

async function encode(bytes: Uint8Array, purpose: UploadPurpose): Promise<ReadPicture> {
  const { data, info } = await sized(opened(bytes, UPLOAD_MAX_PIXELS).autoOrient(), purpose)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toColourspace('srgb')
    .webp({ quality: purpose === 'shop' ? SHOP_QUALITY : QUALITY, effort: 4 })
    .toBuffer({ resolveWithObject: true })
    .catch(failed)
  return { content: data, width: info.width, height: info.height }
}

function opened(bytes: Uint8Array, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels, pages: 1, sequentialRead: true })
}

function sized(picture: Sharp, purpose: UploadPurpose): Sharp {
  switch (purpose) {
    case 'avatar':
      return picture.resize(AVATAR_PIXELS, AVATAR_PIXELS, { fit: 'cover' })
    case 'shop':
      return picture.resize(SHOP_PICTURE_PIXELS, SHOP_PICTURE_PIXELS, {
        fit: 'inside',
        withoutEnlargement: true,
      })
    case 'ticket':
      return picture.resize(TICKET_MAX_PIXELS, TICKET_MAX_PIXELS, {
        fit: 'inside',
        withoutEnlargement: true,
      })
  }
}

function failed(cause: unknown): never {
  throw new AppError('upload_failed', {}, { cause })
}
