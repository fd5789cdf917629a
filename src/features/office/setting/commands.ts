import { DEMO_SHOP } from '#features/base/shop/rules.ts'
import { hasRate } from '#features/base/shop/queries.ts'
import { shopCurrencySetting, shopSetting } from '#features/base/shop/schema.ts'
import { faultOf, type Setting } from '#features/base/setting/rules.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { findSetting, readRow } from './queries.ts'
import { placeOf, readingsOf, withPart } from './rules.ts'
import { requireFreePrices } from './write/prices.ts'
import { replaceRow, takeTurn } from './write/row.ts'

export { importSettings } from './write/file.ts'
export { changeParts, changeWaitingParts, triedParts } from './write/parts.ts'

/**
 * Sets a setting, or a part of one, to what was typed: JSON, or plain text. Throws 'not_found' for a setting nobody knows, and a refusal
 * that says what is wrong with the value; then nothing is changed. Owners are told of what takes two people in the console.
 */
export async function changeSetting(ctx: OperatorCtx, path: string, text: string): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  requireFreePrices(ctx, [placeOf(path).key])
  await change(ctx, path, readingsOf(text))
}

/** Takes a setting, or a part of one, away, so that its default holds. Throws as `changeSetting` does. */
export async function unsetSetting(ctx: OperatorCtx, path: string): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  requireFreePrices(ctx, [placeOf(path).key])
  await change(ctx, path, [undefined])
}

async function change(ctx: Ctx, path: string, readings: readonly unknown[]): Promise<void> {
  const { key, part } = placeOf(path)
  const setting = findSetting(key)
  if (!setting) throw new AppError('not_found')
  await transaction(ctx, async (tx, now) => {
    await takeTurn(tx)
    const before = await readRow(tx, key)
    const after = readings
      .map((reading) => withPart(before, part, reading))
      .find((row) => row === undefined || setting.schema.safeParse(row).success)
    const isRemoval = readings[0] === undefined && part === null
    if (after === undefined && !isRemoval)
      throw refusalOf(key, setting.schema.safeParse(withPart(before, part, readings[0])))
    if (key === shopCurrencySetting.key && !isRemoval && !(await hasRate(tx, String(after))))
      throw refusal(
        `The shop has no currency ${String(after)} with a rate of exchange. Nothing was changed.`,
      )
    const isChanged = await replaceRow(tx, ctx, now, { setting, path, before, after })
    if (isChanged && setting.isTold) await tellOfAlone(tx, ctx, now)
  })
}

/**
 * Changes a setting in a transaction that has looked already at who may, in a form of another feature's. Throws 'changed_meanwhile' where
 * what comes of it cannot be read.
 */
export async function changeRowIn(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'requestId'>,
  now: Date,
  setting: Setting<unknown>,
  change: (before: unknown) => unknown,
): Promise<void> {
  await takeTurn(tx)
  const before = await readRow(tx, setting.key)
  const after = change(before)
  if (!setting.schema.safeParse(after).success) throw new AppError('changed_meanwhile')
  await replaceRow(tx, ctx, now, { setting, path: setting.key, before, after })
}

function refusalOf(
  key: string,
  parsed: { readonly error?: Parameters<typeof faultOf>[0] | undefined },
): Error {
  return refusal(
    `That does not do for ${key}: ${parsed.error ? faultOf(parsed.error) : 'it cannot be read'}. Nothing was changed.`,
  )
}

/** A demo is called what the demo is called, unless somebody has named it. */
export async function nameDemo(ctx: Pick<Ctx, 'db'>): Promise<void> {
  await ctx.db
    .insertInto('setting')
    .values({ key: shopSetting.key, value: JSON.stringify(DEMO_SHOP) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
