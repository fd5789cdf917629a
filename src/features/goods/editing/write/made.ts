import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { AUDITED_EACH, type ChangeKind, type Edited } from '../rules.ts'

/** A brand, product or item that was not there before. */
export interface MadeGoods {
  readonly subject: Edited
  readonly code: string
  readonly name: string
  readonly status: 'active' | 'suspended'
}

const BATCH = 5_000

/**
 * Keeps that goods were made: their history begins with it, and taking the change back takes off sale what was made for sale.
 * @returns the change's public id
 */
export async function keepMade(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  given: {
    readonly made: readonly MadeGoods[]
    readonly kind: Extract<ChangeKind, 'editor' | 'import'>
    readonly note: string
  },
): Promise<string> {
  const { made, kind, note } = given
  const [id, publicId] = [ctx.newId(), newPublicId(ctx)]
  await tx
    .insertInto('goods_change')
    .values({
      id,
      public_id: publicId,
      kind,
      made_by: ctx.actor,
      made_at: now,
      note,
      row_count: made.length,
    })
    .execute()
  for (let start = 0; start < made.length; start += BATCH)
    await sql`
      insert into goods_change_row (change_id, subject, code, field, before, after, has_locked)
      select ${id}, subject, code, 'status', 'null'::jsonb, to_jsonb(status), false
      from jsonb_to_recordset(${JSON.stringify(made.slice(start, start + BATCH))}::jsonb) as r (subject text, code text, status text)`.execute(
      tx,
    )
  await recordAudit(
    tx,
    ctx,
    now,
    made.length > AUDITED_EACH
      ? [
          {
            action: 'change',
            subject: 'goods_change',
            subjectCode: publicId,
            before: null,
            after: { goods: made.length, rows: made.length, kind },
          },
        ]
      : made.map(({ subject, code, name, status }) => ({
          action: 'create',
          subject,
          subjectCode: code,
          before: null,
          after: { name, status },
        })),
  )
  return publicId
}
