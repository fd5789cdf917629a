/** What a picture is sent for; it decides its size and who may see it. */
export type UploadPurpose = 'avatar' | 'ticket'

/** Kinds of files that are taken, by their first bytes. */
export type UploadFormat = 'png' | 'jpeg' | 'webp'

export const UPLOAD_MAX_BYTES = 5 * 1024 * 1024
export const UPLOAD_MAX_PIXELS = 25_000_000
export const UPLOADS_A_DAY = 200
/** Width and height of an avatar. */
export const AVATAR_PIXELS = 320
/** Longer side of a picture of a support ticket. */
export const TICKET_MAX_PIXELS = 2_000

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
  return null
}
