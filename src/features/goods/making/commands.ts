import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { answerOnce } from '#features/base/idempotency/commands.ts'
import { keepMade, type MadeGoods } from '#features/goods/editing/commands.ts'
import { addGoods, takeTurnOfImports } from '#features/goods/transfer/commands.ts'
import { planAddition, type PlannedAddition } from '#features/goods/transfer/engine/goods-add.ts'
import { readAdditionTerms } from '#features/goods/transfer/queries.ts'
import { inTurn } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { MADE_MOST, standingOf, type Addition, type MadeEffect, type NamedGoods } from './rules.ts'

export interface GivenGoods {
  readonly additions: readonly Addition[]
  /** Else they are drafts. */
  readonly isOnSale: boolean
}

export interface GivenMaking extends GivenGoods {
  /** The caller's own name for it: sent again, nothing is made twice. */
  readonly key: string
  /** Of the effect that was seen. */
  readonly hash: string
  readonly kind: 'editor' | 'import'
  readonly note: string
}

export interface Made {
  /** Public id. */
  readonly change: string
  readonly rows: number
}

/** A price is set with what is made. */
function assertMay(ctx: OperatorCtx): void {
  requirePermission(ctx, 'product.change')
  requirePermission(ctx, 'price.change')
}

/** What making goods would come to, and what an import of the same would refuse; nothing is written. */
export async function tryGoods(ctx: OperatorCtx, given: GivenGoods): Promise<MadeEffect> {
  assertMay(ctx)
  return effectOf(await work(ctx.db, given, false))
}

/**
 * Makes brands, products and items whose effect was seen, in one transaction. Throws 'check_fields' with every fault at its place, and
 * 'changed_meanwhile' with the effect as it is now where it is another one.
 */
export async function makeGoods(
  given: OperatorCtx,
  { key, hash, kind, note, ...goods }: GivenMaking,
): Promise<Made> {
  assertMay(given)
  return inTurn(given, async (tx, now) => {
    const ctx = await stillActing(tx, given)
    assertMay(ctx)
    const input = { ...goods, hash, kind, note }
    return answerOnce(tx, ctx, { key, call: 'goods/make', input }, async () => {
      await sql`set local statement_timeout = '2min'`.execute(tx)
      await takeTurnOfImports(tx)
      const plan = await work(tx, goods, true)
      const effect = effectOf(plan)
      if (effect.faults.length > 0)
        throw new AppError(
          'check_fields',
          {},
          {
            fields: effect.faults.map(({ at, path, reason }) => ({
              field: placeOf(at, path),
              reason,
            })),
            data: { effect },
          },
        )
      if (effect.hash !== hash || effect.items.length + effect.products.length === 0)
        throw new AppError('changed_meanwhile', {}, { data: { effect } })
      await addGoods(tx, ctx, now, plan.rows)
      const made = madeOf(plan.rows)
      return { change: await keepMade(tx, ctx, now, { made, kind, note }), rows: made.length }
    })
  })
}

/** Of a single addition, as forms make them, the place is enough. */
const placeOf = (at: number, path: string) => (at === 0 ? path : `${at}.${path}`)

async function work(
  db: Db | Tx,
  { additions, isOnSale }: GivenGoods,
  isToWrite: boolean,
): Promise<PlannedAddition> {
  const standing = standingOf(additions, isOnSale)
  const plan = planAddition(await readAdditionTerms(db, standing, isToWrite), standing)
  if (plan.rows.item.length > MADE_MOST) throw new AppError('too_large')
  return plan
}

function effectOf({ faults, rows }: PlannedAddition): MadeEffect {
  const named = (list: PlannedAddition['rows']['brand']): NamedGoods[] =>
    list.map(({ code, name }) => ({ code: String(code), name: String(name ?? code) }))
  return {
    hash:
      faults.length > 0
        ? ''
        : createHash('sha256').update(JSON.stringify(rows)).digest('base64url'),
    brands: named(rows.brand),
    products: named(rows.product),
    items: named(rows.item),
    faults,
  }
}

const madeOf = (rows: PlannedAddition['rows']): MadeGoods[] =>
  (['brand', 'product', 'item'] as const).flatMap((subject) =>
    rows[subject].map(({ code, name, status }) => ({
      subject,
      code: String(code),
      name: String(name ?? code),
      status: status === 'active' ? ('active' as const) : ('suspended' as const),
    })),
  )
