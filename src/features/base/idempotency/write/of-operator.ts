import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { requestText } from './request.ts'

interface KeyedAct {
  /** The caller's own name for this act: sent again, it is the same one. */
  readonly key: string
  readonly call: string
  readonly input: unknown
}

/** Of JSON, as it is kept and given again. */
type Kept = Readonly<Record<string, string | number | boolean | null>>

/**
 * Does what an operator's call asks for once, in the transaction of its answer: whoever sends the key again is told what came of it, and one
 * that is still running is waited for. Throws 'conflict' when the key stands for another request.
 */
export async function answerOnce<T extends Kept>(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'now' | 'keys'>,
  { key, call, input }: KeyedAct,
  work: () => Promise<T>,
): Promise<T> {
  const hash = ctx.keys.mac('operator answer', requestText({ currency: call, input }))
  const claimed = await tx
    .insertInto('operator_answer')
    .values({
      operator: ctx.actor,
      key,
      call,
      request_hash: hash,
      answer: 'null',
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['operator', 'key']).doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows !== 1n) return known<T>(tx, ctx.actor, key, hash)
  const answer = await work()
  await tx
    .updateTable('operator_answer')
    .set({ answer: JSON.stringify(answer) })
    .where('operator', '=', ctx.actor)
    .where('key', '=', key)
    .execute()
  return answer
}

async function known<T>(tx: Tx, operator: string, key: string, hash: Buffer): Promise<T> {
  const row = await tx
    .selectFrom('operator_answer')
    .select(['request_hash', 'answer'])
    .where('operator', '=', operator)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row?.request_hash.equals(hash)) throw new AppError('conflict')
  return row.answer as T
}
