import { sql } from 'kysely'
import { holdToDay, recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction } from '#platform/ctx.ts'
import { openContent } from '../engine/envelope.ts'
import type { Vault } from '../engine/vault.ts'
import type { KeyParts } from '../rules.ts'

/** Codes that one operator may look at within a day. */
export const SEEN_A_DAY = 20
/** What the audit calls a look of an operator at a code. */
export const KEY_SEEN = 'key_seen'

interface SealedRow {
  readonly id: string
  readonly item: string
  readonly itemCode: string
  readonly lastFour: string
  readonly nonce: Buffer
  readonly ciphertext: Buffer
  readonly wrappedKey: Buffer
  readonly kekId: number
}

/**
 * What a key says, for an operator who has given a fresh proof and a reason. Each look is written down before the answer leaves, and owners
 * are told of it. Throws 'not_found', and 'too_many_requests' once the day's looks are used up.
 */
export async function seeKey(
  ctx: OperatorCtx,
  vault: Vault,
  {
    key,
    reason,
    network,
  }: { readonly key: string; readonly reason: string; readonly network: string },
): Promise<KeyParts> {
  requirePermission(ctx, 'key.see')
  if (!isUuid(key)) throw new AppError('not_found')
  const { rows } = await sql<SealedRow>`
    select k.id, k.item, i.code as "itemCode", k.last_four as "lastFour", k.nonce, k.ciphertext, k.wrapped_key as "wrappedKey", k.kek_id as "kekId"
    from card_key k join item i on i.id = k.item where k.id = ${key}::uuid`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new AppError('not_found')
  const [rowKey] = await vault.unwrap([row])
  await transaction(ctx, async (tx, now) => {
    await holdToDay(tx, ctx, KEY_SEEN, SEEN_A_DAY)
    await sql`
      insert into key_access (id, key_id, actor, purpose, network, request_id, at)
      values (${ctx.newId()}, ${row.id}, ${ctx.actor}, 'check', ${network}, ${ctx.requestId}, ${now})`.execute(
      tx,
    )
    await recordAudit(tx, ctx, now, [
      {
        action: KEY_SEEN,
        subject: 'card_key',
        subjectCode: row.id,
        before: null,
        after: { item: row.itemCode, ends_in: row.lastFour, reason },
      },
    ])
  })
  const { nonce, ciphertext } = row
  const content = openContent({ rowKey: present(rowKey, 'unwrapped key'), nonce, ciphertext }, row)
  return JSON.parse(content.toString('utf8')) as KeyParts
}
