/** What a picture is sent for; it decides its size and who may see it. `shop`: operators send it, of goods. */
export type UploadPurpose = 'avatar' | 'ticket' | 'shop'

/** Kinds of files that are taken, by their first bytes. */
export type UploadFormat = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif'
/** What people may send, and what operators may. */
export const TAKEN_FORMATS: Readonly<Record<UploadPurpose, readonly UploadFormat[]>> = {
  avatar: ['png', 'jpeg', 'webp'],
  ticket: ['png', 'jpeg', 'webp'],
  shop: ['png', 'jpeg', 'webp', 'avif', 'gif'],
}

export const UPLOAD_MAX_BYTES = 5 * 1024 * 1024
/** Of a picture that an operator sends: a good camera's. */
export const SHOP_PICTURE_MAX_BYTES = 10 * 1024 * 1024
export const maxBytesOf = (purpose: UploadPurpose): number =>
  purpose === 'shop' ? SHOP_PICTURE_MAX_BYTES : UPLOAD_MAX_BYTES
export const UPLOAD_MAX_PIXELS = 25_000_000
export const UPLOADS_A_DAY = 200
/** Width and height of an avatar. */
export const AVATAR_PIXELS = 320
/** Longer side of a picture of a support ticket. */
export const TICKET_MAX_PIXELS = 2_000
/** Longer side of a picture of goods: as large as the largest place on a dense screen can use. */
export const SHOP_PICTURE_PIXELS = 2_400

/** A picture decoded and encoded anew as WebP, with nothing of the file it came from but what is seen. */
export interface ReadPicture {
  readonly content: Buffer
  readonly width: number
  readonly height: number
}

/** Decodes a file somebody sent, elsewhere than in this process. Throws upload_size, upload_format, upload_failed and too_many_requests. */
export type ReadUpload = (bytes: Uint8Array, purpose: UploadPurpose) => Promise<ReadPicture>

/** Where a kept picture is shown. */
export function uploadAddress(publicId: string): string {
  return `/img/upload/${publicId}.webp`
}

/** The public id in an address that `uploadAddress` made; null for any other address. */
export function publicIdOf(path: string): string | null {
  return /^\/img\/upload\/([A-Za-z0-9_-]{22})\.webp$/.exec(path)?.[1] ?? null
}

/** What a file is by its first bytes, whatever its name and type say; null for every kind that is not taken. */
export function formatOf(bytes: Uint8Array): UploadFormat | null {
  const text = (from: number, to: number) =>
    Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(0, 4) === 'GIF8') return 'gif'
  if (['ftypavif', 'ftypavis', 'ftypmif1'].includes(text(4, 12))) return 'avif'
  return null
}
