import { takeShare } from '#features/base/limit/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { keepPicture, setAvatar } from './commands.ts'
import { UPLOADS_A_DAY, type ReadUpload } from './rules.ts'

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

async function takeUpload(ctx: Ctx, accountId: string): Promise<void> {
  const share = await takeShare(ctx, { ...SHARE, key: accountId })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}
