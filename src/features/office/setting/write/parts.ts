import { hasRate } from '#features/base/shop/queries.ts'
import { shopCurrencySetting } from '#features/base/shop/schema.ts'
import type { Setting } from '#features/base/setting/rules.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import {
  askAboutShop,
  inTurn,
  requireAsker,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError, type FieldProblem } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'
import { fieldsOfKey, type SettingField } from '../engine/fields.ts'
import { problemsOf } from '../engine/faults.ts'
import { waitingChanges, waitingDetails, type PartChange } from '../engine/waiting.ts'
import { findSetting, readRow } from '../queries.ts'
import { versionOf } from '../engine/version.ts'
import { partOf, withPart } from '../rules.ts'
import { requireFreePrices } from './prices.ts'
import { replaceRow, takeTurn } from './row.ts'

/**
 * Changes parts of a setting together, from a form. What every owner is told of waits wherever somebody else could approve it. Throws, at the
 * field of each, for what does not do and for what somebody else has changed since; then nothing is changed.
 * @returns the act that waits; null where it is done
 */
export async function changeParts(
  ctx: OperatorCtx,
  key: string,
  changes: readonly PartChange[],
): Promise<Waits> {
  requirePermission(ctx, 'shop.manage')
  const setting = settingOfForm(key)
  requireFreePrices(ctx, [key])
  await checkOutside(ctx.db, setting, changes)
  return inTurn(ctx, async (tx, now) => {
    await takeTurn(tx)
    const before = await readRow(tx, key)
    assertSame(fieldsOfKey(key), before, changes)
    const after = checked(setting, before, changes)
    if (setting.isTold && (await hasAnotherApprover(tx, now, [ctx.operator.name], 'shop.manage')))
      return askAboutShop(tx, ctx, {
        kind: 'shop_setting',
        subject: key,
        details: waitingDetails(ctx.keys, setting, { before, after }, changes),
      })
    const isChanged = await replaceRow(tx, ctx, now, { setting, path: key, before, after })
    if (isChanged && setting.isTold) await tellOfAlone(tx, ctx, now)
    return null
  })
}

/** What approving it does: what was asked for, of what was there then. Throws 'changed_meanwhile' where that is another by now. */
export async function changeWaitingParts(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireAsker(tx, act)
  const { subject: key, details } = act
  const setting = findSetting(key)
  const changes = waitingChanges(ctx.keys, details)
  if (!setting || changes === null) throw new AppError('changed_meanwhile')
  await takeTurn(tx)
  const before = await readRow(tx, key)
  if (changes.some(({ part, version }) => versionOf(partOf(before, part)) !== version))
    throw new AppError('changed_meanwhile')
  const after = checked(setting, before, changes)
  await replaceRow(tx, ctx, ctx.now(), { setting, path: key, before, after })
}

/** What a setting would be. Throws as `changeParts` does, but for what is another by now. */
export async function triedParts(
  db: Db,
  key: string,
  changes: readonly PartChange[],
): Promise<{
  readonly before: unknown
  readonly after: unknown
  readonly setting: Setting<unknown>
}> {
  const setting = settingOfForm(key)
  await checkOutside(db, setting, changes)
  const before = await readRow(db, key)
  return { before, after: checked(setting, before, changes), setting }
}

/** Ways to pay have a form of their own, which takes two people. */
function settingOfForm(key: string): Setting<unknown> {
  const setting = findSetting(key)
  if (!setting || fieldsOfKey(key).some(({ kind }) => kind === 'elsewhere'))
    throw new AppError('not_found')
  return setting
}

function checked(
  setting: Setting<unknown>,
  before: unknown,
  changes: readonly PartChange[],
): unknown {
  const fields = fieldsOfKey(setting.key)
  for (const { part } of changes)
    if (!fields.some((field) => field.part === part)) throw new AppError('not_found')
  const after = changes.reduce<unknown>(
    (row, { part, value }) => withPart(row, part, value === null ? undefined : value),
    before,
  )
  if (after === undefined || isEmpty(after)) return undefined
  const parsed = setting.schema.safeParse(after)
  if (!parsed.success) throw faulty(problemsOf(fields, after, parsed.error))
  return after
}

const isEmpty = (row: unknown) =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && Object.keys(row).length === 0

function assertSame(
  fields: readonly SettingField[],
  row: unknown,
  changes: readonly PartChange[],
): void {
  const others = changes.filter(({ part, version }) => versionOf(partOf(row, part)) !== version)
  if (others.length === 0) return
  throw faulty(
    others.map(({ part }) => ({
      field: fields.find((field) => field.part === part)?.path ?? 'body',
      reason: 'changed_elsewhere',
    })),
  )
}

/** What the schema cannot know: which currencies there are, with a rate. */
async function checkOutside(
  db: Db,
  setting: Setting<unknown>,
  changes: readonly PartChange[],
): Promise<void> {
  if (setting.key !== shopCurrencySetting.key) return
  for (const { value } of changes)
    if (value !== null && !(await hasRate(db, String(value))))
      throw fieldError(setting.key, 'currency_unknown')
}

const faulty = (fields: readonly FieldProblem[]) => new AppError('check_fields', {}, { fields })
