import { takeShare } from '#features/limit/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { setAvatar } from './commands.ts'
import { readPicture } from './pipeline/read-picture.ts'
import { UPLOADS_A_DAY } from './rules.ts'

const SHARE = { name: 'upload', per: 86_400, burst: UPLOADS_A_DAY } as const

/**
 * Reads a file somebody sent and shows it as their picture from now on. Throws what `readPicture` throws, and too_many_requests
 * after 200 files a day, good or bad. @returns its public id
 */
export async function uploadAvatar(ctx: Ctx, accountId: string, bytes: Uint8Array): Promise<string> {
  const share = await takeShare(ctx, { ...SHARE, key: accountId })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
  return setAvatar(ctx, accountId, await readPicture(bytes, 'avatar'))
}
