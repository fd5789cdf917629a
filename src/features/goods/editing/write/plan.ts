import {
  patchGoods,
  type GoodsFault,
  type GoodsPatch,
} from '#features/goods/transfer/engine/goods-edit.ts'
import {
  readGoodsRows,
  readKnownGoods,
  type GoodsRows,
  type KnownGoods,
} from '#features/goods/transfer/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { fieldOf, type Around } from '../engine/fields.ts'
import {
  EDITED,
  isSameValue,
  placeText,
  type ChangedField,
  type Conflict,
  type Edit,
  type Edited,
  type EditFault,
  type Json,
} from '../rules.ts'

type Row = Readonly<Record<string, unknown>>

/** What edits come to as things are. */
export interface Plan {
  readonly changes: readonly ChangedField[]
  readonly faults: readonly EditFault[]
  readonly conflicts: readonly Conflict[]
  readonly stored: GoodsRows
  /** Rows as they would be, by subject and code. */
  readonly wanted: Readonly<Record<Edited, ReadonlyMap<string, Row>>>
  readonly categories: readonly Row[]
  readonly levels: readonly Row[]
}

/** Works out what edits would change, and what is wrong with them; with `isToWrite` the rows stay as they are until the transaction ends. */
export async function planEdits(
  db: Db | Tx,
  edits: readonly Edit[],
  isToWrite: boolean,
): Promise<Plan> {
  const last = [...new Map(edits.map((edit) => [placeText(edit), edit])).values()]
  const codesOf = (subject: Edited) =>
    last.filter((edit) => edit.subject === subject).map(({ code }) => code)
  const codes = { brand: codesOf('brand'), product: codesOf('product'), item: codesOf('item') }
  const stored = await readGoodsRows(db, codes, isToWrite)
  const games = last.flatMap(({ field, to }) =>
    field === 'game' && typeof to === 'string' ? [to] : [],
  )
  const known = await readKnownGoods(db, [
    ...games,
    ...stored.brand.flatMap(({ game }) => (typeof game === 'string' ? [game] : [])),
  ])
  const present = presentOf(stored, known)
  const faults: EditFault[] = []
  const conflicts: Conflict[] = []
  const patches = new Map<string, { patch: GoodsPatch; values: Record<string, unknown> }>()
  for (const edit of last) {
    const value = checkedValue(edit, present, known, faults, conflicts)
    if (value === undefined) continue
    const key = `${edit.subject} ${edit.code}`
    const entry = patches.get(key) ?? newPatch(edit)
    entry.values[edit.field] = value.said
    patches.set(key, entry)
  }
  const made = patchGoods(
    stored,
    known,
    [...patches.values()].map(({ patch }) => patch),
  )
  faults.push(...made.faults.flatMap((fault) => faultsOf(fault, patches)))
  const changes = changesOf(patches, present, made, known, faults)
  return {
    changes,
    faults,
    conflicts,
    stored,
    wanted: made.rows,
    categories: made.categories,
    levels: made.levels,
  }
}

function newPatch({ subject, code }: Edit): { patch: GoodsPatch; values: Record<string, unknown> } {
  const values: Record<string, unknown> = {}
  return { patch: { subject, code, values }, values }
}

/** The rows that are there by subject and code, each with what stands around it. */
export interface Present {
  readonly rows: ReadonlyMap<string, Row>
  readonly around: (subject: Edited, row: Row) => Around
}

function presentOf(stored: GoodsRows, known: KnownGoods): Present {
  const rows = new Map<string, Row>()
  for (const subject of EDITED)
    for (const row of stored[subject]) rows.set(`${subject} ${String(row['code'])}`, row)
  return { rows, around: aroundOf(stored, stored.brand_category, stored.item_level_price, known) }
}

function aroundOf(
  stored: GoodsRows,
  categories: readonly Row[],
  levelRows: readonly Row[],
  known: KnownGoods,
  wanted: ReadonlyMap<string, Row> = new Map(),
): Present['around'] {
  const faces = new Map(
    stored.product.map((row) => [
      row['code'],
      (wanted.get(String(row['code'])) ?? row)['face_currency'] as string | null,
    ]),
  )
  const names = new Map([...known.categoryIds].map(([code, id]) => [id, code]))
  const levels = Map.groupBy(levelRows, (row) => row['item'])
  const ofBrand = Map.groupBy(categories, (row) => row['brand'])
  return (subject, row) => ({
    face:
      (subject === 'item'
        ? faces.get(row['product'])
        : (row['face_currency'] as string | null | undefined)) ?? null,
    levels: (levels.get(row['code']) ?? []).toSorted(
      (a, b) => Number(a['level']) - Number(b['level']),
    ),
    categories: (ofBrand.get(row['code']) ?? []).flatMap(
      (entry) => names.get(Number(entry['category_id'])) ?? [],
    ),
  })
}

/** What an edit says to the import's rules; undefined where it is at fault, meets another's change, or changes nothing. */
function checkedValue(
  edit: Edit,
  present: Present,
  known: KnownGoods,
  faults: EditFault[],
  conflicts: Conflict[],
): { readonly said: unknown } | undefined {
  const { subject, code, field: name, from, to } = edit
  const place = { subject, code, field: name }
  const fault = (reason: EditFault['reason']) => {
    faults.push({ ...place, reason, why: null })
    return undefined
  }
  const row = present.rows.get(`${subject} ${code}`)
  if (!row) return fault('not_sold')
  const field = fieldOf(subject, name)
  if (!field) return fault('unknown_field')
  const isNothing = to === null || to === '' || (Array.isArray(to) && to.length === 0)
  if (!isNothing && !field.shape.safeParse(to).success)
    return fault(field.kind === 'choice' ? 'not_allowed' : 'wrong_type')
  const now = field.read(row, present.around(subject, row))
  const wanted = isNothing ? null : to
  if (isSameValue(now, wanted)) return undefined
  if (from !== undefined && !isSameValue(now, from)) {
    conflicts.push({ ...place, from, present: now, to: wanted })
    return undefined
  }
  return { said: field.said(wanted, known.currencies) }
}

type Patches = ReadonlyMap<string, { readonly values: Readonly<Record<string, unknown>> }>

/** A fault stands at the field that was edited; one that shows elsewhere in the same goods, at what was edited there. */
function faultsOf(fault: GoodsFault, patches: Patches): EditFault[] {
  const values = patches.get(`${fault.subject} ${fault.code}`)?.values ?? {}
  const edited = Object.keys(values)
  const field = fault.field in values ? fault.field : (edited[0] ?? fault.field)
  const { subject, code, reason, why } = fault
  return [{ subject, code, field, reason, why }]
}

function changesOf(
  patches: Patches,
  present: Present,
  made: ReturnType<typeof patchGoods>,
  known: KnownGoods,
  faults: readonly EditFault[],
): ChangedField[] {
  const wrong = new Set(faults.map(placeText))
  const stored = { product: [] as Row[] }
  for (const [key, row] of present.rows) if (key.startsWith('product ')) stored.product.push(row)
  const around = aroundOf(
    stored as unknown as GoodsRows,
    made.categories,
    made.levels,
    known,
    made.rows.product,
  )
  const changes: ChangedField[] = []
  for (const [key, { values }] of patches) {
    const [subject, code] = key.split(' ') as [Edited, string]
    const [before, after] = [present.rows.get(key), made.rows[subject].get(code)]
    if (!before || !after) continue
    const names = Object.keys(values)
    // The name of a pack follows from its figures until somebody gives it one.
    if (subject === 'item' && before['name'] !== after['name'] && !names.includes('name'))
      names.push('name')
    for (const name of names) {
      const field = fieldOf(subject, name)
      if (!field || wrong.has(`${key} ${name}`)) continue
      const was: Json = field.read(before, present.around(subject, before))
      const will: Json = field.read(after, around(subject, after))
      if (isSameValue(was, will)) continue
      const locked = before['locked_fields'] as readonly string[]
      const hasLocked = !locked.includes(field.lock)
      changes.push({ subject, code, field: name, before: was, after: will, hasLocked })
    }
  }
  return changes
}
