import type { z } from 'zod'
import { cookieKnowing } from '#features/people/device/commands.ts'
import { DEVICE_COOKIE, DEVICE_COOKIE_SECONDS } from '#features/people/device/rules.ts'
import { findPerson } from '#features/people/session/queries.ts'
import type { SessionSecrets } from '#features/people/session/rules.ts'
import { AppError } from '#kernel/error.ts'
import { securityEvent } from '#platform/security-log.ts'
import type { Caller } from '../personal/call.ts'
import { userInfo, type signedInShape } from './user-info.ts'

export type HowSignedIn = 'registration' | 'password' | 'second factor' | 'passkey' | 'service'

/**
 * Hands a session that has just begun to the browser, and tells who it is.
 * @param how for the security log
 * @param stay whether the sign-in outlives the browser's window
 */
export async function signedIn(
  caller: Caller,
  session: SessionSecrets,
  how: HowSignedIn,
  stay = true,
): Promise<z.input<typeof signedInShape>> {
  const { ctx, shop, language, services, cookies } = caller
  const person = await findPerson(ctx.db, ctx, { cookie: session.token, handle: null })
  if (!person) throw new AppError('sign_in_failed')
  securityEvent(ctx.log, 'sign_in.done', { how, account: person.accountId })
  cookies.startSession(session.token, stay)
  if (stay) rememberDevice(caller, person.accountId)
  return {
    userinfo: {
      ...(await userInfo(
        { db: ctx.db, shop, language: language.code, timeZone: services.timeZone },
        person,
      )),
      token: session.handle,
    },
  }
}

/** From now on this browser is one of the account's own: what strangers try elsewhere does not pause it. */
export function rememberDevice(
  { ctx, cookies, visitor }: Pick<Caller, 'ctx' | 'cookies' | 'visitor'>,
  accountId: string,
): void {
  cookies.keep(DEVICE_COOKIE, cookieKnowing(ctx, visitor.device, accountId), DEVICE_COOKIE_SECONDS)
}
