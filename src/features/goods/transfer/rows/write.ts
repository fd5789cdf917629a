import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { AuditEntry } from '#features/base/audit/commands.ts'
import type { Change, SetChange, TableDiff } from './diff.ts'
import type { TranslationChange } from './diff-translations.ts'
import type { Row, SetSpec, TableSpec } from './tables.ts'

/** Rows go to the server as JSON text, this many at a time; the table's own row type reads them. */
const BATCH = 5_000

function* batches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH)
}

/** Writes one table's changes. */
export async function writeTable(tx: Tx, ctx: Ctx, now: Date, diff: TableDiff): Promise<void> {
  const { spec } = diff
  const stamp = spec.name === 'item' ? { updated_at: now } : {}
  const created = diff.changes
    .filter((change) => change.action === 'create')
    .map(({ row }) => ({
      ...row,
      ...stamp,
      ...(spec.name === 'item' ? { id: ctx.newId() } : {}),
    }))
  const changed = diff.changes
    .filter((change) => change.action !== 'create')
    .map(({ row }) => ({ ...row, ...stamp }))
  await insertRows(tx, spec, created)
  await updateRows(tx, spec, changed)
}

async function insertRows(tx: Tx, spec: TableSpec, rows: readonly Row[]): Promise<void> {
  const extra = spec.name === 'item' ? ['id', 'updated_at'] : []
  const columns = sql.join(
    [...spec.key, ...spec.columns, ...(spec.initial ?? []), ...extra].map((column) =>
      sql.ref(column),
    ),
  )
  for (const batch of batches(rows)) {
    await sql`insert into ${sql.table(spec.name)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(spec.name)}, ${JSON.stringify(batch)}::json)`.execute(
      tx,
    )
  }
}

async function updateRows(tx: Tx, spec: TableSpec, rows: readonly Row[]): Promise<void> {
  const columns = [...spec.columns, ...(spec.name === 'item' ? ['updated_at'] : [])]
  const assignments = sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`wanted.${column}`)}`),
  )
  const match = sql.join(
    spec.key.map(
      (column) => sql`${sql.ref(`${spec.name}.${column}`)} = ${sql.ref(`wanted.${column}`)}`,
    ),
    sql` and `,
  )
  for (const batch of batches(rows)) {
    await sql`update ${sql.table(spec.name)} set ${assignments}
      from json_populate_recordset(null::${sql.table(spec.name)}, ${JSON.stringify(batch)}::json) as wanted
      where ${match}`.execute(tx)
  }
}

/** The categories of brands: the whole set of each owner that differs. */
export async function writeCategories(tx: Tx, changes: readonly SetChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`delete from brand_category where brand = any(${changes.map((change) => change.owner)})`.execute(
    tx,
  )
  const rows = changes.flatMap((change) =>
    change.after.map((row) => ({ brand: change.owner, ...row })),
  )
  for (const batch of batches(rows)) {
    await sql`insert into brand_category select * from json_populate_recordset(null::brand_category, ${JSON.stringify(batch)}::json)`.execute(
      tx,
    )
  }
}

/** The level prices of items, whose rows are found by the item's code. */
export async function writeLevels(tx: Tx, changes: readonly SetChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`delete from item_level_price where item in (select id from item where code = any(${changes.map((change) => change.owner)}))`.execute(
    tx,
  )
  const rows = changes.flatMap((change) =>
    change.after.map((row) => ({ code: change.owner, ...row })),
  )
  for (const batch of batches(rows)) {
    await sql`insert into item_level_price (item, level, price_minor, price_currency)
      select item.id, wanted.level, wanted.price_minor, wanted.price_currency
      from json_to_recordset(${JSON.stringify(batch)}::json) as wanted (code text, level smallint, price_minor numeric, price_currency text)
      join item on item.code = wanted.code`.execute(tx)
  }
}

export async function writeTranslations(
  tx: Tx,
  changes: readonly TranslationChange[],
): Promise<void> {
  const gone = changes.filter((change) => change.row === null).map((change) => change.before)
  for (const batch of batches(gone)) {
    await sql`delete from translation using json_populate_recordset(null::translation, ${JSON.stringify(batch)}::json) as gone
      where translation.subject = gone.subject and translation.subject_code = gone.subject_code
        and translation.field = gone.field and translation.language = gone.language`.execute(tx)
  }
  const rows = changes.flatMap((change) => (change.row ? [change.row] : []))
  for (const batch of batches(rows)) {
    await sql`insert into translation (subject, subject_code, field, language, text, origin, english_hash)
      select subject, subject_code, field, language, text, origin, english_hash
      from json_populate_recordset(null::translation, ${JSON.stringify(batch)}::json)
      on conflict (subject, subject_code, field, language)
      do update set text = excluded.text, origin = excluded.origin, english_hash = excluded.english_hash`.execute(
      tx,
    )
  }
}

export function auditOfTable(diff: TableDiff): AuditEntry[] {
  return diff.changes.map((change: Change) => ({
    action: change.action,
    subject: diff.spec.name,
    subjectCode: change.code,
    before: change.before,
    after: change.after,
  }))
}

/** @param created owners whose creation is told already */
export function auditOfSet(
  spec: SetSpec,
  changes: readonly SetChange[],
  created: ReadonlySet<string>,
): AuditEntry[] {
  return changes
    .filter((change) => !created.has(change.owner))
    .map((change) => ({
      action: 'update',
      subject: spec.subject,
      subjectCode: change.owner,
      before: { [spec.field]: change.before },
      after: { [spec.field]: change.after },
    }))
}

/** One entry a translated thing: `de.name` → text. */
export function auditOfTranslations(changes: readonly TranslationChange[]): AuditEntry[] {
  const byThing = Map.groupBy(
    changes,
    ({ row, before }) => `${(row ?? before)?.['subject']} ${(row ?? before)?.['subject_code']}`,
  )
  return [...byThing].map(([thing, group]) => ({
    action: 'update',
    subject: 'translation',
    subjectCode: thing,
    before: wordsOf(group, 'before'),
    after: wordsOf(group, 'row'),
  }))
}

function wordsOf(changes: readonly TranslationChange[], side: 'before' | 'row'): Row | null {
  const words = changes.flatMap((change) => {
    const row = change[side]
    return row ? [[`${row['language']}.${row['field']}`, row['text']] as const] : []
  })
  return words.length > 0 ? Object.fromEntries(words) : null
}

/** Numbers that reviews of another shop brought along are not given again. */
export async function passReviewNumbers(tx: Tx): Promise<void> {
  await sql`select setval('review_number', r.highest) from (select max(id) as highest from review) r, review_number n
    where r.highest >= n.last_value and r.highest >= 1000000000`.execute(tx)
}
