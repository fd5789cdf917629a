import { listSentPictures } from '#features/goods/picture/queries.ts'
import { sentHash } from '#features/goods/picture/rules.ts'
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
  type TranslationChange,
} from '#features/goods/transfer/queries.ts'
import { takeTurnOfImports } from '#features/goods/transfer/commands.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { fieldOf } from '../engine/fields.ts'
import { aroundOf, itemAround, presentOf, type Present } from '../engine/present.ts'
import { textField } from '../engine/words.ts'
import {
  isSameValue,
  placeText,
  type ChangedField,
  type Conflict,
  type Edit,
  type Edited,
  type EditFault,
  type Json,
} from '../rules.ts'
import { planTexts, type WordedGoods } from './texts.ts'

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
  readonly pictures: readonly Row[]
  /** Rows of translations to write. */
  readonly texts: readonly TranslationChange[]
}

/** Works out what edits would change, and what is wrong with them; with `isToWrite` the rows stay as they are until the transaction ends. */
export async function planEdits(
  db: Db | Tx,
  edits: readonly Edit[],
  isToWrite: boolean,
): Promise<Plan> {
  const last = [...new Map(edits.map((edit) => [placeText(edit), edit])).values()]
  const [inTexts, inFields] = [true, false].map((isText) =>
    last.filter(({ field }) => (textField(field) !== null) === isText),
  )
  if (isToWrite && last.some(concernsTexts)) await takeTurnOfImports(db)
  const { stored, known, present } = await readAround(db, last, isToWrite)
  const faults: EditFault[] = []
  const conflicts: Conflict[] = []
  const patches = new Map<string, { patch: GoodsPatch; values: Record<string, unknown> }>()
  const isThere = await sentPicturesThere(db, inFields ?? [], isToWrite)
  for (const edit of inFields ?? []) {
    if (!isThere(edit)) {
      const { subject, code, field } = edit
      faults.push({ subject, code, field, reason: 'picture_gone', why: null })
      continue
    }
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
  const texts = await planTexts(db, wordedGoods(last, patches, present, made), inTexts ?? [])
  return {
    changes: [...changes, ...texts.changes],
    faults: [...faults, ...texts.faults],
    conflicts: [...conflicts, ...texts.conflicts],
    stored,
    wanted: made.rows,
    categories: made.categories,
    levels: made.levels,
    pictures: made.pictures,
    texts: texts.texts,
  }
}

/** Fields that say sentences which are translated. */
const WORDED: ReadonlySet<string> = new Set([
  'name',
  'fields',
  'redeem',
  'recharge',
  'region_name',
  'lock_note',
  'seo_title',
  'seo_description',
])
const concernsTexts = ({ field }: Edit) => WORDED.has(field) || textField(field) !== null

/** Whether what an edit makes a picture of was sent, and is still there. */
async function sentPicturesThere(
  db: Db | Tx,
  edits: readonly Edit[],
  isToWrite: boolean,
): Promise<(edit: Edit) => boolean> {
  const hashOf = ({ field, to }: Edit) => {
    const file = field === 'picture' ? (to as { readonly file?: unknown } | null)?.file : undefined
    return typeof file === 'string' ? sentHash(file) : null
  }
  const named = edits.flatMap((edit) => hashOf(edit) ?? [])
  const there = await listSentPictures(db, named, isToWrite)
  return (edit) => {
    const hash = hashOf(edit)
    return hash === null || there.has(hash)
  }
}

/** Goods that are edited with what stands above them, and what they may refer to. */
async function readAround(db: Db | Tx, edits: readonly Edit[], isToWrite: boolean) {
  const codesOf = (subject: Edited) =>
    edits.filter((edit) => edit.subject === subject).map(({ code }) => code)
  const codes = { brand: codesOf('brand'), product: codesOf('product'), item: codesOf('item') }
  const stored = await readGoodsRows(db, codes, isToWrite)
  const games = edits.flatMap(({ field, to }) =>
    field === 'game' && typeof to === 'string' ? [to] : [],
  )
  const known = await readKnownGoods(db, [
    ...games,
    ...stored.brand.flatMap(({ game }) => (typeof game === 'string' ? [game] : [])),
  ])
  return { stored, known, present: presentOf(stored, known) }
}

/** Goods whose words change, or may, with their rows as they are and as they would be. */
function wordedGoods(
  edits: readonly Edit[],
  patches: Patches,
  present: Present,
  made: ReturnType<typeof patchGoods>,
): readonly WordedGoods[] {
  const concerned = new Map(
    edits
      .filter(concernsTexts)
      .map(({ subject, code }) => [`${subject} ${code}`, { subject, code }]),
  )
  return [...concerned].flatMap(([key, { subject, code }]) => {
    const before = present.rows.get(key)
    if (!before) return []
    // What nobody patches is not made whole.
    const after = (patches.has(key) ? made.rows[subject].get(code) : undefined) ?? before
    return [{ subject, code, before, after, around: itemAround(present, subject, before) }]
  })
}

function newPatch({ subject, code }: Edit): { patch: GoodsPatch; values: Record<string, unknown> } {
  const values: Record<string, unknown> = {}
  return { patch: { subject, code, values }, values }
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
  const around = aroundOf(stored, made, known, made.rows.product)
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
