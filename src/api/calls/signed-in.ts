import type { z } from 'zod'
import { findPerson } from '#features/session/queries.ts'
import type { SessionSecrets } from '#features/session/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Caller } from '../personal/call.ts'
import { userInfo, type signedInShape } from './user-info.ts'

/**
 * Hands a session that has just begun to the browser, and tells who it is.
 * @param stay whether the sign-in outlives the browser's window
 */
export async function signedIn(
  { ctx, shop, language, services, cookies }: Caller,
  session: SessionSecrets,
  stay = true,
): Promise<z.input<typeof signedInShape>> {
  const person = await findPerson(ctx.db, ctx, { cookie: session.token, handle: null })
  if (!person) throw new AppError('sign_in_failed')
  cookies.startSession(session.token, stay)
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
