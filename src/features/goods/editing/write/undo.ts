import { sql } from 'kysely'
import { answerOnce } from '#features/base/idempotency/commands.ts'
import { inTurn } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { fieldOf } from '../engine/fields.ts'
import {
  isListed,
  RENAMED_FIELD,
  SUBJECTS,
  type Edit,
  type GoodsEffect,
  type Json,
  type PriceMove,
  type Subject,
} from '../rules.ts'
import type { Terms } from './asked.ts'
import {
  assertMay,
  effectOfPlan,
  movesOfPlan,
  readTerms,
  type HoldPriceEffect,
  type MadeChange,
} from './change.ts'
import { planEdits, type Plan } from './plan.ts'
import { storeChange } from './store.ts'

export interface GivenUndo {
  readonly key: string
  /** Public id of the change that is taken back. */
  readonly change: string
  /** Of the effect that was seen. */
  readonly hash: string
}

/** What taking a change back would do: what is still as it made it goes back, and the rest is told as conflicts. */
export async function tryUndo(ctx: OperatorCtx, change: string): Promise<GoodsEffect> {
  const { edits } = await readUndo(ctx.db, change)
  const plan = await planEdits(ctx.db, edits, false)
  assertMay(ctx, plan)
  return effectOfPlan(await readTerms(ctx), ctx.db, plan)
}

/**
 * Takes a change back as far as nobody has changed the same since. Throws 'not_found' for one that is gone or taken back already, and
 * 'changed_meanwhile' with the effect as it is now where it is not the one that was seen.
 */
export async function undoChange(
  given: OperatorCtx,
  { key, change, hash }: GivenUndo,
  hold: HoldPriceEffect | null,
): Promise<MadeChange> {
  const terms = await readTerms(given)
  return inTurn(given, async (tx, now) => {
    const ctx = await stillActing(tx, given)
    return answerOnce(tx, ctx, { key, call: 'goods/undo', input: { change, hash } }, async () => {
      await sql`set local statement_timeout = '2min'`.execute(tx)
      const undo = await planUndo(tx, ctx, terms, change)
      const { effect, moves } = undo
      if (effect.hash !== hash || effect.goods === 0)
        throw new AppError('changed_meanwhile', {}, { data: { effect } })
      const waits =
        (await hold?.(tx, ctx, now, { moves, asked: { undo: change }, hash, note: '' })) ?? null
      if (waits !== null) return { change: null, rows: 0, waits }
      const made = await storeUndo(tx, ctx, now, undo)
      return { change: made, rows: undo.plan.changes.length, waits }
    })
  })
}

/**
 * Takes a change back for whoever approves that somebody else asked for it. Throws 'changed_meanwhile' where it is taken back already, or anything of it
 * cannot be done as it was asked for any more. @returns how prices move by it
 */
export async function makeAskedUndo(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { change, hash }: Pick<GivenUndo, 'change' | 'hash'>,
): Promise<readonly PriceMove[]> {
  const undo = await planUndo(tx, ctx, await readTerms(ctx), change).catch((error: unknown) => {
    throw isAppError(error) && error.code === 'not_found'
      ? new AppError('changed_meanwhile')
      : error
  })
  if (undo.effect.hash !== hash || undo.effect.goods === 0) throw new AppError('changed_meanwhile')
  await storeUndo(tx, ctx, now, undo)
  return undo.moves
}

interface PlannedUndo extends Undo {
  readonly plan: Plan
  readonly effect: GoodsEffect
  readonly moves: readonly PriceMove[]
}

/** What taking a change back comes to, with it and its goods held. */
async function planUndo(
  tx: Tx,
  ctx: OperatorCtx,
  terms: Terms,
  change: string,
): Promise<PlannedUndo> {
  const undo = await readUndo(tx, change, true)
  const plan = await planEdits(tx, undo.edits, true)
  assertMay(ctx, plan)
  const effect = await effectOfPlan(terms, tx, plan)
  return { ...undo, plan, effect, moves: await movesOfPlan(ctx, terms, tx, plan) }
}

/** @returns the public id of the change that takes it back */
async function storeUndo(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { id, locks, plan }: PlannedUndo,
): Promise<string> {
  const unlocks = freed(locks, plan)
  const made = await storeChange(tx, ctx, now, { plan, kind: 'undo', note: '', unlocks })
  await tx.updateTable('goods_change').set({ undone_by: made.id }).where('id', '=', id).execute()
  return made.publicId
}

interface Undo {
  readonly id: string
  readonly edits: readonly Edit[]
  /** Fields that the change has locked: `subject code field`. */
  readonly locks: ReadonlySet<string>
}

async function readUndo(db: Db | Tx, publicId: string, isToWrite = false): Promise<Undo> {
  const found = await db
    .selectFrom('goods_change')
    .select(['id', 'undone_by'])
    .where('public_id', '=', publicId)
    .$if(isToWrite, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!found || found.undone_by !== null) throw new AppError('not_found')
  const rows = await db
    .selectFrom('goods_change_row')
    .select(['subject', 'code', 'field', 'before', 'after', 'has_locked'])
    .where('change_id', '=', found.id)
    .orderBy('subject')
    .orderBy('code')
    .orderBy('field')
    .execute()
  const own = rows.filter(
    (row): row is typeof row & { subject: Subject } =>
      (SUBJECTS as readonly string[]).includes(row.subject) && row.field !== RENAMED_FIELD,
  )
  if (own.length === 0) throw new AppError('not_found')
  return {
    id: found.id,
    edits: own.map(({ subject, code, field, before, after }) => ({
      subject,
      code,
      field,
      from: after as Json,
      to: isListed(subject) ? (before as Json) : formerOf(field, before as Json),
    })),
    locks: new Set(
      own.flatMap(({ subject, code, field, has_locked: hasLocked }) =>
        hasLocked ? [`${subject} ${code} ${field}`] : [],
      ),
    ),
  }
}

/** What was made by the change was not there before it: taken back, it is not on sale. */
const formerOf = (field: string, before: Json): Json =>
  field === 'status' && before === null ? 'suspended' : before

/** Locks that the change had put on what now goes back: `subject code lock`. */
function freed(locks: ReadonlySet<string>, { changes }: Plan): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ subject, code, field }) => {
      const lock = fieldOf(subject, field)?.lock
      return lock !== undefined && locks.has(`${subject} ${code} ${field}`)
        ? [`${subject} ${code} ${lock}`]
        : []
    }),
  )
}
