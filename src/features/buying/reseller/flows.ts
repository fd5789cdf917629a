import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { openOrderKeys } from '#features/buying/vault/commands.ts'
import { listOwnKeys } from '#features/buying/vault/queries.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { securityEvent } from '#platform/security-log.ts'
import { noteUse, takeNonce } from './commands.ts'
import { bodyHashOf, isSame, secretsOf, signatureOf } from './engine/signature.ts'
import { findKey } from './queries.ts'
import { SECRET_PREFIX, WINDOW_SECONDS, type ResellerKey } from './rules.ts'

/** A request as it was signed. */
export interface SignedRequest {
  readonly method: string
  readonly target: string
  readonly body: Uint8Array
  readonly key: string
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string
}

const NONCE = /^[\x21-\x7e]{8,80}$/
const KEY = /^[\w-]{10,40}$/

/** Whose a signed request is; it is taken once. Throws 'unauthorised', and says why to whoever looks into the call. */
export async function authenticate(
  ctx: Ctx,
  request: SignedRequest,
  visitor: Pick<Visitor, 'address'>,
): Promise<ResellerKey> {
  const refuse = (reason: string): AppError => {
    securityEvent(ctx.log, 'reseller.refused', { reason })
    return new AppError('unauthorised', {}, { data: { reason } })
  }
  const { timestamp, nonce, signature } = request
  if (!/^\d{10}$/.test(timestamp)) throw refuse('timestamp')
  if (Math.abs(ctx.now().getTime() / 1_000 - Number(timestamp)) > WINDOW_SECONDS)
    throw refuse('timestamp')
  if (!NONCE.test(nonce)) throw refuse('nonce')
  const key = KEY.test(request.key)
    ? await findKey(ctx.db, request.key, visitor.address, ctx.now())
    : null
  if (!key) throw refuse('key')
  const signed = { ...request, bodyHash: bodyHashOf(request.body) }
  if (!secretsOf(ctx.keys, key).some((secret) => isSame(signatureOf(secret, signed), signature)))
    throw refuse('signature')
  if (!(await takeNonce(ctx, key.id, nonce))) throw refuse('replay')
  return key
}

/** Whose a bearer token is: the key's id, a dot, and its secret. Null for nobody's. */
export async function authenticateBearer(
  ctx: Ctx,
  token: string,
  visitor: Pick<Visitor, 'address'>,
): Promise<ResellerKey | null> {
  const [publicId = '', ...rest] = token.split('.')
  const secret = rest.join('.')
  const key =
    KEY.test(publicId) && secret.startsWith(SECRET_PREFIX)
      ? await findKey(ctx.db, publicId, visitor.address, ctx.now())
      : null
  if (!key || !secretsOf(ctx.keys, key).some((known) => isSame(known, secret))) {
    securityEvent(ctx.log, 'reseller.refused', { reason: 'bearer' })
    return null
  }
  await noteUse(ctx, key.id)
  return key
}

export interface SoldKey {
  /** Public id of the unit. */
  readonly unit: string
  readonly item: string
  readonly parts: Readonly<Record<string, string>>
  /** A calendar day. */
  readonly expiresOn: string | null
}

const UNITS_MOST = 5_000

/** The codes of what was delivered of an order; each look is written down. */
export async function openKeys(
  ctx: Ctx,
  vault: Vault,
  key: ResellerKey,
  { order, network }: { readonly order: string; readonly network: string },
): Promise<SoldKey[]> {
  const { accountId } = key
  const opened = await openOrderKeys(ctx, vault, { accountId, network, order })
  const { keys } = await listOwnKeys(ctx.db, accountId, { order, page: 1, limit: UNITS_MOST })
  const byUnit = new Map(keys.map((each) => [each.unit, each]))
  return opened.flatMap(({ unit, parts }) => {
    const own = byUnit.get(unit)
    return own ? [{ unit, item: own.itemCode, parts, expiresOn: own.expiresOn }] : []
  })
}
