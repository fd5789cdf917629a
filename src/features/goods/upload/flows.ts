import { takeShare } from '#features/base/limit/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { keepPicture, keepShopPicture, setAvatar } from './commands.ts'
import { SHOP_PICTURE_MAX_BYTES, UPLOADS_A_DAY, type ReadUpload } from './rules.ts'

const SHARE = { name: 'upload', per: 86_400, burst: UPLOADS_A_DAY } as const

/**
 * Reads a file somebody sent and shows it as their picture from now on. Throws what `read` throws, and too_many_requests
 * after 200 files a day, good or bad. @returns its public id
 */
export async function uploadAvatar(
  ctx: Ctx,
  accountId: string,
  bytes: Uint8Array,
  read: ReadUpload,
): Promise<string> {
  await takeUpload(ctx, accountId)
  return setAvatar(ctx, accountId, await read(bytes, 'avatar'))
}

/** Reads and keeps a picture that goes with a question to the shop. Throws as `uploadAvatar` does. @returns its public id */
export async function uploadTicketPicture(
  ctx: Ctx,
  accountId: string,
  bytes: Uint8Array,
  read: ReadUpload,
): Promise<string> {
  await takeUpload(ctx, accountId)
  const picture = await read(bytes, 'ticket')
  return (
    await transaction(ctx, (tx) => keepPicture(tx, ctx, { accountId, purpose: 'ticket', picture }))
  ).publicId
}

/** A picture that an operator has sent, as it is kept. */
export interface SentPicture {
  readonly hash: string
  readonly width: number
  readonly height: number
}

/**
 * Takes in a picture of goods as it streams in, and keeps what is seen on it. Throws 'upload_size' before reading where the sender says so, else once it
 * is too large, and what `read` throws; too_many_requests after 200 files a day of one operator, good or bad.
 */
export async function receiveShopPicture(
  ctx: Ctx,
  file: { readonly declaredBytes: number | null; readonly bytes: AsyncIterable<Uint8Array> },
  read: ReadUpload,
): Promise<SentPicture> {
  if ((file.declaredBytes ?? 0) > SHOP_PICTURE_MAX_BYTES) throw new AppError('upload_size')
  await takeUpload(ctx, ctx.actor)
  const picture = await read(await bytesOf(file.bytes), 'shop')
  const { width, height } = picture
  return { hash: await keepShopPicture(ctx, picture), width, height }
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const held: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > SHOP_PICTURE_MAX_BYTES) throw new AppError('upload_size')
    held.push(piece)
  }
  return Buffer.concat(held)
}

async function takeUpload(ctx: Ctx, accountId: string): Promise<void> {
  const share = await takeShare(ctx, { ...SHARE, key: accountId })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}
