import type { Ctx } from '#platform/ctx.ts'
import { deviceCookie, readDevice, type Device } from './rules.ts'

const ID_BYTES = 16

/** The browser that sent this cookie, or a new one where it sent none. */
export function deviceOrNew({ random }: Pick<Ctx, 'random'>, cookie: string | undefined): Device {
  return (
    readDevice(cookie) ?? { id: Buffer.from(random(ID_BYTES)).toString('base64url'), marks: [] }
  )
}

/** The browser's name where the account was signed in with it before. Nobody can make the mark of another account. */
export function knownDevice(
  ctx: Pick<Ctx, 'keys'>,
  cookie: string | undefined,
  accountId: string,
): string | null {
  const device = readDevice(cookie)
  return device?.marks.includes(markOf(ctx, device.id, accountId)) ? device.id : null
}

/** The cookie of a browser where the account has just signed in, or its owner has shown that the mailbox is theirs. */
export function cookieKnowing(
  ctx: Pick<Ctx, 'keys' | 'random'>,
  cookie: string | undefined,
  accountId: string,
): string {
  const { id, marks } = deviceOrNew(ctx, cookie)
  const mark = markOf(ctx, id, accountId)
  return deviceCookie({ id, marks: [mark, ...marks.filter((other) => other !== mark)] })
}

function markOf({ keys }: Pick<Ctx, 'keys'>, deviceId: string, accountId: string): string {
  return keys.mac('device', `${deviceId} ${accountId}`).subarray(0, ID_BYTES).toString('base64url')
}
