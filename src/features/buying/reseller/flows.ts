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
import {
  SECRET_PREFIX,
  WINDOW_SECONDS,
  type ResellerKey,
  type Signer,
  type SoldKey,
} from './rules.ts'

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

/** A key in force that may be used from an address, and its secrets; null for any other. */
export async function findSigner(
  ctx: Ctx,
  publicId: string,
  { address }: Pick<Visitor, 'address'>,
): Promise<Signer<ResellerKey> | null> {
  const key = KEY.test(publicId) ? await findKey(ctx.db, publicId, address, ctx.now()) : null
  return key && { key, secrets: secretsOf(ctx.keys, key) }
}

/** Whose a signed request is; it is taken once. Throws 'unauthorised', and says why to whoever looks into the call. */
export async function authenticate<Key extends { readonly id: string }>(
  ctx: Ctx,
  request: SignedRequest,
  find: (publicId: string) => Promise<Signer<Key> | null>,
): Promise<Key> {
  const refuse = (reason: string): AppError => {
    securityEvent(ctx.log, 'reseller.refused', { reason })
    return new AppError('unauthorised', {}, { data: { reason } })
  }
  const { timestamp, nonce, signature } = request
  if (!/^\d{10}$/.test(timestamp)) throw refuse('timestamp')
  if (Math.abs(ctx.now().getTime() / 1_000 - Number(timestamp)) > WINDOW_SECONDS)
    throw refuse('timestamp')
  if (!NONCE.test(nonce)) throw refuse('nonce')
  const signer = await find(request.key)
  if (!signer) throw refuse('key')
  const signed = { ...request, bodyHash: bodyHashOf(request.body) }
  if (!signer.secrets.some((secret) => isSame(signatureOf(secret, signed), signature)))
    throw refuse('signature')
  if (!(await takeNonce(ctx, signer.key.id, nonce))) throw refuse('replay')
  return signer.key
}

/** Whose a bearer token is: the key's id, a dot, and its secret. Null for nobody's. */
export async function authenticateBearer(
  ctx: Ctx,
  token: string,
  visitor: Pick<Visitor, 'address'>,
): Promise<ResellerKey | null> {
  const [publicId = '', ...rest] = token.split('.')
  const secret = rest.join('.')
  const signer = secret.startsWith(SECRET_PREFIX) ? await findSigner(ctx, publicId, visitor) : null
  if (!signer?.secrets.some((known) => isSame(known, secret))) {
    securityEvent(ctx.log, 'reseller.refused', { reason: 'bearer' })
    return null
  }
  await noteUse(ctx, signer.key.id)
  return signer.key
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
