import { sql } from 'kysely'
import { recordAudit, type AuditEntry } from '#features/base/audit/commands.ts'
import { writeGoods, type GoodsSets, type GoodsWrite } from '#features/goods/transfer/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { fieldOf } from '../engine/fields.ts'
import { AUDITED_EACH, EDITED, type ChangedField, type ChangeKind, type Edited } from '../rules.ts'
import type { Plan } from './plan.ts'

type Row = Readonly<Record<string, unknown>>

export interface StoredChange {
  readonly id: string
  readonly publicId: string
}

interface GivenStore {
  readonly plan: Plan
  readonly kind: ChangeKind
  readonly note: string
  /** Locks that are taken away with it: those that the change it takes back had put there. */
  readonly unlocks?: ReadonlySet<string>
}

const BATCH = 5_000

/** Writes goods, the change with its rows, and what the trail says of it. The rows of the goods are held by the transaction. */
export async function storeChange(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { plan, kind, note, unlocks = new Set() }: GivenStore,
): Promise<StoredChange> {
  const { changes } = plan
  await writeGoods(
    tx,
    now,
    EDITED.flatMap((subject) => writesOf(subject, plan, unlocks)),
    setsOf(plan),
  )
  const stored = await keepChange(tx, ctx, now, { kind, note, rows: changes })
  await recordAudit(tx, ctx, now, auditOf(changes, stored.publicId, kind))
  return stored
}

/** What of a field a change did. */
export interface ChangeRow {
  readonly subject: Edited
  readonly code: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
  readonly hasLocked: boolean
}

/** The change itself with its rows, from which it is told and taken back. */
export async function keepChange(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: {
    readonly kind: ChangeKind
    readonly note: string
    readonly rows: readonly ChangeRow[]
  },
): Promise<StoredChange> {
  const { kind, note, rows } = change
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
      row_count: rows.length,
    })
    .execute()
  for (let start = 0; start < rows.length; start += BATCH)
    await sql`
      insert into goods_change_row (change_id, subject, code, field, before, after, has_locked)
      select ${id}, subject, code, field, coalesce(before, 'null'::jsonb), coalesce(after, 'null'::jsonb), "hasLocked"
      from jsonb_to_recordset(${JSON.stringify(rows.slice(start, start + BATCH))}::jsonb) as r
        (subject text, code text, field text, before jsonb, after jsonb, "hasLocked" boolean)`.execute(
      tx,
    )
  return { id, publicId }
}

/** Rows of one table with the columns that are edited of any of them; what of a row is not edited stays what it is. */
function writesOf(
  subject: Edited,
  { changes, stored, wanted }: Plan,
  unlocks: ReadonlySet<string>,
): GoodsWrite[] {
  const edited = Map.groupBy(
    // A text of another language is no column of what it is of.
    changes.filter((change) => change.subject === subject && fieldOf(subject, change.field)),
    ({ code }) => code,
  )
  if (edited.size === 0) return []
  const columns = new Set<string>()
  const rows = stored[subject].flatMap((row): Row[] => {
    const own = edited.get(String(row['code']))
    const made = wanted[subject].get(String(row['code']))
    if (!own || !made) return []
    const set: Record<string, unknown> = { ...row }
    const locks = new Set(row['locked_fields'] as readonly string[])
    for (const { field: name } of own) {
      const field = fieldOf(subject, name)
      if (!field) continue
      for (const column of field.columns) {
        columns.add(column)
        set[column] = made[column] ?? null
      }
      if (unlocks.has(`${subject} ${String(row['code'])} ${field.lock}`)) locks.delete(field.lock)
      else locks.add(field.lock)
    }
    return [{ ...set, locked_fields: [...locks] }]
  })
  const all = [...columns]
  return [
    {
      table: subject,
      columns: all,
      rows: rows.map((row) =>
        Object.fromEntries(['code', 'locked_fields', ...all].map((name) => [name, row[name]])),
      ),
    },
  ]
}

function setsOf({ changes, stored, categories, levels, pictures, texts }: Plan): GoodsSets {
  const ownersOf = (subject: Edited, field: string) =>
    changes
      .filter((change) => change.subject === subject && change.field === field)
      .map(({ code }) => code)
  const rowsOf = (rows: readonly Row[], owner: string, code: string, keys: readonly string[]) =>
    rows
      .filter((row) => row[owner] === code)
      .map((row) => Object.fromEntries(keys.map((key) => [key, row[key]])))
  const isOwn = (after: unknown) => after !== null
  const owned = (has: (after: unknown) => boolean) =>
    changes
      .filter(({ field, after }) => field === 'picture' && has(after))
      .map(({ subject, code }) => `${subject}/${code}`)
  const levelKeys = ['level', 'price_minor', 'price_currency']
  return {
    categories: ownersOf('brand', 'categories').map((owner) => ({
      owner,
      before: rowsOf(stored.brand_category, 'brand', owner, ['category_id']),
      after: rowsOf(categories, 'brand', owner, ['category_id']),
    })),
    texts,
    pictures: {
      rows: pictures.filter(({ code }) => owned(isOwn).includes(String(code))),
      gone: owned((after) => after === null),
    },
    levels: ownersOf('item', 'levels').map((owner) => ({
      owner,
      before: rowsOf(stored.item_level_price, 'item', owner, levelKeys),
      after: rowsOf(levels, 'item', owner, levelKeys),
    })),
  }
}

/** A line for each of a few; of many one, which leads to the change. */
function auditOf(
  changes: readonly ChangedField[],
  publicId: string,
  kind: ChangeKind,
): AuditEntry[] {
  const each = Map.groupBy(changes, ({ subject, code }) => `${subject} ${code}`)
  if (each.size > AUDITED_EACH)
    return [
      {
        action: kind === 'undo' ? 'undo' : 'change',
        subject: 'goods_change',
        subjectCode: publicId,
        before: null,
        after: { goods: each.size, rows: changes.length, kind },
      },
    ]
  return [...each.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const side = (of: 'before' | 'after') =>
      Object.fromEntries(own.map((change) => [change.field, change[of]]))
    const status = own.find(({ field }) => field === 'status')?.after
    const action = status === undefined ? 'update' : status === 'suspended' ? 'suspend' : 'resume'
    const { subject, code: subjectCode } = first
    return [{ action, subject, subjectCode, before: side('before'), after: side('after') }]
  })
}
