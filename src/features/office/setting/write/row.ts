import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { concealed, type Setting } from '#features/base/setting/rules.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'

/** One number for "a setting is being changed", so that two changes of parts of one take turns. */
const LOCK = 7_126_033

export async function takeTurn(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
}

/** @returns whether it is another by now */
export async function replaceRow(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'requestId'>,
  now: Date,
  {
    setting,
    path,
    before,
    after,
  }: {
    readonly setting: Setting<unknown>
    readonly path: string
    readonly before: unknown
    readonly after: unknown
  },
): Promise<boolean> {
  if (JSON.stringify(before) === JSON.stringify(after)) return false
  await writeRow(tx, setting.key, after)
  await recordAudit(tx, ctx, now, [
    {
      action: 'update',
      subject: 'setting',
      subjectCode: path,
      before: { value: concealed(setting, before) ?? null },
      after: { value: concealed(setting, after) ?? null },
    },
  ])
  return true
}

async function writeRow(tx: Tx, key: string, value: unknown): Promise<void> {
  if (value === undefined) {
    await tx.deleteFrom('setting').where('key', '=', key).execute()
    return
  }
  await tx
    .insertInto('setting')
    .values({ key, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
}
