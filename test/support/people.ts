import { createAccount, openSession } from '#features/people/account/commands.ts'
import { findPerson } from '#features/people/session/queries.ts'
import type { Person, SessionSecrets } from '#features/people/session/rules.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { hashPassword } from '#platform/password-hash.ts'

export const PASSWORD = 'Kelapa7Muda'
export const PHONE: Visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent:
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
}
export const LAPTOP: Visitor = {
  address: '198.51.100.7',
  network: '198.51.100.0/24',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
}

export interface Somebody {
  readonly accountId: string
  readonly email: string
  readonly userName: string
}

let hashed: Promise<string> | undefined
let serial = 0

/** An account of its own for a test, with `PASSWORD` unless told otherwise. */
export async function somebody(
  ctx: Ctx,
  wanted: { readonly withPassword?: boolean } = {},
): Promise<Somebody> {
  const name = `person${(serial += 1)}x${Buffer.from(ctx.random(4)).toString('hex')}`
  const email = `${name}@shop.example`
  const passwordHash =
    wanted.withPassword === false ? null : await (hashed ??= hashPassword(PASSWORD))
  const accountId = await transaction(ctx, (tx) =>
    createAccount(tx, ctx, { email, userName: name, passwordHash, language: 'en' }),
  )
  return { accountId, email, userName: name }
}

/** Signs an account in without its password. */
export async function signedIn(
  ctx: Ctx,
  accountId: string,
  visitor: Visitor = PHONE,
): Promise<SessionSecrets & { readonly person: Person }> {
  const secrets = await transaction(ctx, (tx) => openSession(tx, ctx, { accountId, visitor }))
  const person = await findPerson(ctx.db, ctx, { cookie: secrets.token, handle: null })
  if (!person) throw new Error('a new session is nobody')
  return { ...secrets, person }
}

/** Runs what must be refused and gives the refusal's code and fields. */
export async function refused(work: Promise<unknown>): Promise<{
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  readonly params: unknown
  readonly data: unknown
}> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error) || !('code' in error) || !('fields' in error))
    throw new Error('it was not refused', { cause: error })
  const { code, fields, params, data } = error as unknown as {
    code: string
    fields: { field: string; reason: string }[]
    params: unknown
    data: unknown
  }
  return {
    code,
    fields: Object.fromEntries(fields.map(({ field, reason }) => [field, reason])),
    params,
    data,
  }
}

/** Where a session is named that goes on, and there is none. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000'
