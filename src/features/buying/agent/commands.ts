import { sql } from 'kysely'
import { takeShare } from '#features/base/limit/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import {
  CONFIRMATION_DAYS,
  CONFIRMATION_MINUTES,
  CONFIRMATIONS_A_DAY,
  type Confirmation,
  type ConfirmationLine,
} from './rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export interface AskedPurchase {
  readonly accountId: string
  readonly keyId: string
  readonly reference: string
  readonly requestHash: Buffer
  readonly lines: readonly ConfirmationLine[]
  readonly currency: string
  readonly amountMinor: bigint
}

/**
 * Asks a person whether a program may buy, once for each reference: asked again it tells what they said. What nobody answered in time, or was
 * agreed to and not used, is asked anew. Throws 'conflict' where the reference stands for other goods, 'too_many_requests'.
 */
export async function askPerson(ctx: Ctx, asked: AskedPurchase): Promise<Confirmation> {
  const now = ctx.now()
  const known = await ctx.db
    .selectFrom('agent_confirmation')
    .select(['public_id', 'request_hash', 'state', 'ends_at', 'amount_minor'])
    .where('account_id', '=', asked.accountId)
    .where('reference', '=', asked.reference)
    .executeTakeFirst()
  if (known && !known.request_hash.equals(asked.requestHash)) throw new AppError('conflict')
  if (known && (known.ends_at > now || known.state === 'refused'))
    return {
      ...asked,
      publicId: known.public_id,
      state: known.state,
      endsAt: known.ends_at,
      amountMinor: BigInt(known.amount_minor),
    }
  const share = await takeShare(ctx, {
    name: 'agent_confirmation',
    key: asked.accountId,
    per: DAY_MS / 1_000,
    burst: CONFIRMATIONS_A_DAY,
  })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
  const [publicId, endsAt] = [
    newPublicId(ctx),
    new Date(now.getTime() + CONFIRMATION_MINUTES * MINUTE_MS),
  ]
  const made = await sql`
    insert into agent_confirmation (id, public_id, account_id, key_id, reference, request_hash, lines, currency, amount_minor, created_at, ends_at)
    values (${ctx.newId()}, ${publicId}, ${asked.accountId}, ${asked.keyId}, ${asked.reference}, ${asked.requestHash}, ${JSON.stringify(asked.lines)}::jsonb,
      ${asked.currency}, ${asked.amountMinor.toString()}, ${now}, ${endsAt})
    on conflict (account_id, reference) do update set public_id = excluded.public_id, key_id = excluded.key_id, lines = excluded.lines, currency = excluded.currency,
      amount_minor = excluded.amount_minor, state = 'waiting', decided_at = null, created_at = excluded.created_at, ends_at = excluded.ends_at
      where agent_confirmation.ends_at <= ${now} and agent_confirmation.request_hash = excluded.request_hash`.execute(
    ctx.db,
  )
  // Asked at the same moment by another call: the link is that one's.
  if (made.numAffectedRows !== 1n) return askPerson(ctx, asked)
  return { ...asked, publicId, state: 'waiting', endsAt }
}

/** A person says whether a program may buy; said once it stays so. Throws 'not_found' for what is not theirs, or has ended. */
export async function answerProgram(
  ctx: Ctx,
  {
    id,
    accountId,
    isAgreed,
  }: { readonly id: string; readonly accountId: string; readonly isAgreed: boolean },
): Promise<'approved' | 'refused'> {
  const now = ctx.now()
  const row = await ctx.db
    .updateTable('agent_confirmation')
    .set({
      state: sql`case state when 'waiting' then ${isAgreed ? 'approved' : 'refused'} else state end`,
      decided_at: sql`coalesce(decided_at, ${now})`,
    })
    .where('public_id', '=', id)
    .where('account_id', '=', accountId)
    .where('ends_at', '>', now)
    .returning('state')
    .executeTakeFirst()
  if (!row || row.state === 'waiting') throw new AppError('not_found')
  return row.state
}

/** What ended long ago. */
export async function forgetConfirmations({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('agent_confirmation')
    .where('ends_at', '<', new Date(now().getTime() - CONFIRMATION_DAYS * DAY_MS))
    .execute()
}

/** Part of erasing a person. */
export async function eraseAgent(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('agent_confirmation').where('account_id', '=', accountId).execute()
}
