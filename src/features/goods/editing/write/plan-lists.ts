import { listFaults, listPicture } from '#features/goods/transfer/engine/list-edit.ts'
import {
  countListUses,
  englishHash,
  readCategoryTree,
  readListEnds,
  readKnownGoods,
  readListRows,
  type KnownGoods,
} from '#features/goods/transfer/queries.ts'
import { CONSOLE_SOURCE } from '#features/goods/transfer/engine/goods-add.ts'
import type { FieldReason } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { identityShape, LIST_FIELDS, listColumns, type Identity } from '../engine/list-fields.ts'
import { isOpenRoot, pathUnder, rootOf } from '../engine/tree.ts'
import { textField } from '../engine/words.ts'
import { listNameTexts } from '../read/list-texts.ts'
import {
  isListed,
  isSameValue,
  THERE,
  type ChangedField,
  type Conflict,
  type Edit,
  type EditFault,
  type Json,
  type Listed,
} from '../rules.ts'
import type { WordedGoods } from './texts.ts'

type Row = Readonly<Record<string, unknown>>

/** One of a list that is written: added whole, changed, or taken away. */
export interface PlannedList {
  readonly subject: Listed
  readonly code: string
  readonly before: Row | null
  /** Columns as they are to be; null: it is taken away. */
  readonly columns: Row | null
  readonly picture: Row | null
}

export interface ListPlan {
  readonly changes: readonly ChangedField[]
  readonly faults: readonly EditFault[]
  readonly conflicts: readonly Conflict[]
  readonly rows: readonly PlannedList[]
  /** Whose words are looked at, and the texts that are edited of them. */
  readonly worded: readonly WordedGoods[]
  readonly texts: readonly Edit[]
}

interface Terms {
  readonly db: Db | Tx
  readonly known: KnownGoods
  readonly tree: readonly Row[]
  /** Rows that are added by the same change come behind one another. */
  readonly added: Map<Listed, number>
}

const NO_AROUND = { face: null, categories: [], levels: [], picture: undefined }
const NO_ITEM = { hasUnit: false, hasFace: false }

interface One {
  readonly subject: Listed
  readonly code: string
  readonly row: Row | null
  readonly edits: readonly Edit[]
}

type Planned = Partial<ListPlan>

/** Works out what edits of categories, games, regions and platforms would change; what is at fault or met by another's change is left out. */
export async function planLists(
  db: Db | Tx,
  edits: readonly Edit[],
  isToWrite: boolean,
): Promise<ListPlan> {
  const own = edits.filter(({ subject }) => isListed(subject))
  const plans: Planned[] = []
  if (own.length > 0) {
    const known = await readKnownGoods(db, [])
    const terms = { db, known, tree: await readCategoryTree(db), added: new Map() }
    for (const one of await readOnes(db, own, isToWrite)) plans.push(await planOne(terms, one))
  }
  const all = <Key extends keyof ListPlan>(key: Key) =>
    plans.flatMap((plan) => (plan[key] ?? []) as never[]) as never as ListPlan[Key]
  return {
    changes: all('changes'),
    faults: all('faults'),
    conflicts: all('conflicts'),
    rows: all('rows'),
    worded: all('worded'),
    texts: all('texts'),
  }
}

async function readOnes(db: Db | Tx, edits: readonly Edit[], isToWrite: boolean): Promise<One[]> {
  const ones: One[] = []
  for (const [subject, ofKind] of Map.groupBy(edits, (edit) => edit.subject as Listed)) {
    const codes = ofKind.map(({ code }) => code)
    const rows = await readListRows(db, subject, codes, isToWrite)
    for (const [code, own] of Map.groupBy(ofKind, (edit) => edit.code))
      ones.push({
        subject,
        code,
        row: rows.find((row) => row['code'] === code) ?? null,
        edits: own,
      })
  }
  return ones
}

function planOne(terms: Terms, one: One): Promise<Planned> | Planned {
  const there = one.edits.find(({ field }) => field === THERE)
  if (one.row && there) return there.to === null ? planRemoval(terms, one) : taken(one)
  if (one.row) return planChange(terms, one, one.row)
  return there && there.to !== null ? planMaking(terms, one, there) : isGone(one)
}

const faultOf = (
  { subject, code }: One,
  field: string,
  reason: FieldReason,
  why: string | null = null,
): EditFault => ({ subject, code, field, reason, why })

/** One that is there is not made again. */
const taken = (one: One): Planned => ({ faults: [faultOf(one, THERE, 'code_taken')] })

/** Taken away by somebody: what was to be taken away is; for the rest it is too late. */
const isGone = (one: One): Planned => ({
  faults: one.edits
    .filter(({ to }) => to !== null)
    .map(({ field }) => faultOf(one, field, 'gone_meanwhile')),
})

const valuesOf = (subject: Listed, row: Row): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(LIST_FIELDS[subject]).map(([name, field]) => [name, field.read(row, NO_AROUND)]),
  )

/** What was meant is told where what is there is not what was seen. */
function conflictsOf(one: One, values: Readonly<Record<string, Json>>): Conflict[] {
  return one.edits.flatMap(({ subject, code, field, from, to }) => {
    const present = values[field] ?? null
    if (textField(field) || from === undefined || isSameValue(present, from)) return []
    return isSameValue(present, to) ? [] : [{ subject, code, field, from, present, to }]
  })
}

async function planRemoval({ db }: Terms, one: One): Promise<Planned> {
  const { subject, code, row, edits } = one
  if (!row) return {}
  const values = valuesOf(subject, row)
  const conflicts = conflictsOf(one, values)
  if (conflicts.length > 0) return { conflicts }
  const uses = await countListUses(db, subject, code)
  if (uses > 0) return { faults: [faultOf(one, THERE, 'in_use', `${uses} refer to it`)] }
  const texts = await listNameTexts(db, subject, code)
  return {
    changes: changesOf(one, values, null),
    rows: [{ subject, code, before: row, columns: null, picture: null }],
    worded: [{ subject, code, before: row, after: row, around: NO_ITEM }],
    texts: texts.map(({ language, ...text }) => {
      const field = `name:${language}`
      const given = edits.find((edit) => edit.field === field)?.from
      // One that somebody has put right since is told as a conflict where the making of it is taken back.
      return { subject, code, field, from: given ?? text, to: null }
    }),
  }
}

/** Fields that change; of one that is made or taken away, all that say something. */
function changesOf(
  { subject, code, row }: One,
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>> | null,
): ChangedField[] {
  const locked = (row?.['locked_fields'] ?? []) as readonly string[]
  return Object.entries(LIST_FIELDS[subject]).flatMap(([field, { lock }]) => {
    const [was, will] = [before[field] ?? null, after?.[field] ?? null]
    if (isSameValue(was, will)) return []
    const hasLocked = row !== null && after !== null && !locked.includes(lock)
    return [{ subject, code, field, before: was, after: will, hasLocked }]
  })
}

function planChange(terms: Terms, one: One, row: Row): Planned {
  const { subject, code } = one
  const before = valuesOf(subject, row)
  const conflicts = conflictsOf(one, before)
  const met = new Set(conflicts.map(({ field }) => field))
  const { values, faults } = valued(terms, one, before, met)
  const changes = changesOf(one, before, values)
  return {
    conflicts,
    faults,
    changes,
    rows:
      changes.length === 0
        ? []
        : [
            {
              subject,
              code,
              before: row,
              columns: listColumns(subject, values, terms.known.categoryIds),
              picture: null,
            },
          ],
    worded: [
      { subject, code, before: row, after: { ...row, name: values['name'] }, around: NO_ITEM },
    ],
    texts: one.edits.filter(({ field }) => textField(field)),
  }
}

async function planMaking(terms: Terms, one: One, there: Edit): Promise<Planned> {
  const { subject, code, edits } = one
  const was = there.to === true ? {} : identityShape.safeParse(there.to).data
  if (!was) return { faults: [faultOf(one, THERE, 'wrong_type')] }
  const ends = await readListEnds(terms.db, subject)
  const count = terms.added.get(subject) ?? 0
  terms.added.set(subject, count + 1)
  const usual: Record<string, Json> = {
    ...(subject === 'game' ? { hot: false } : { position: ends.position + count }),
    ...(subject === 'game' || subject === 'category' ? { status: 'active' } : {}),
  }
  const parent = edits.find(({ field }) => field === 'parent')?.to ?? null
  const { id = ends.id + count, path = pathUnder(terms.tree, parent, code), source, picture } = was
  const isOwn = terms.tree.every((other) => other['id'] !== id)
  const fixed = subject === 'category' ? { id: isOwn ? id : ends.id + count, path } : {}
  const { values, faults } = valued(terms, one, usual, new Set(), fixed)
  if (faults.length > 0) return { faults }
  const drawn = picture === undefined ? listPicture(subject, documentOf(one, values, fixed)) : null
  const keeps = subject === 'game' || subject === 'category'
  const identity: Identity = {
    ...fixed,
    ...(keeps
      ? {
          picture:
            picture === undefined ? ((drawn?.['code'] as string | undefined) ?? null) : picture,
          source: source ?? CONSOLE_SOURCE,
        }
      : {}),
  }
  const columns = { code, ...identity, ...listColumns(subject, values, terms.known.categoryIds) }
  const row = { ...columns, name: values['name'] }
  return {
    changes: changesOf(one, {}, { ...values, [THERE]: identity as Json }),
    rows: [{ subject, code, before: null, columns, picture: drawn }],
    worded: [{ subject, code, before: row, after: row, around: NO_ITEM }],
    texts: edits
      .filter(({ field }) => textField(field))
      .map((edit) => (there.to === true ? ofThisEnglish(edit, String(values['name'])) : edit)),
  }
}

/** Whoever makes one says all its names at once. */
const ofThisEnglish = (edit: Edit, english: string): Edit => ({
  ...edit,
  to:
    edit.to !== null && typeof edit.to === 'object'
      ? { ...edit.to, english_hash: englishHash(english) }
      : edit.to,
})

/** What the fields say with the edits in them, without those that are at fault. */
function valued(
  { known, tree }: Terms,
  one: One,
  before: Readonly<Record<string, Json>>,
  met: ReadonlySet<string>,
  fixed: Row = identityOf(one),
): { readonly values: Record<string, Json>; readonly faults: readonly EditFault[] } {
  const { subject, code } = one
  const faults: EditFault[] = []
  const edited = new Map<string, Json>()
  for (const { field: name, to } of one.edits) {
    if (name === THERE || textField(name) || met.has(name)) continue
    const field = Object.hasOwn(LIST_FIELDS[subject], name) ? LIST_FIELDS[subject][name] : undefined
    const isNothing = to === null || to === '' || (Array.isArray(to) && to.length === 0)
    if (!field) faults.push(faultOf(one, name, 'unknown_field'))
    else if (!isNothing && !field.shape.safeParse(to).success)
      faults.push(faultOf(one, name, field.kind === 'choice' ? 'not_allowed' : 'wrong_type'))
    else edited.set(name, isNothing ? null : to)
  }
  const others = tree
    .filter((other) => other['code'] !== code)
    .map(({ parent, ...other }) => (parent === null ? other : { ...other, parent }))
  for (;;) {
    const values = { ...before, ...Object.fromEntries(edited) }
    const wrong = [
      ...listFaults(subject, documentOf(one, values, fixed), { known, others }),
      ...(subject === 'category' ? standFaults(one, tree, values) : []),
    ]
    const own = wrong.filter(({ field }) => one.row === null || edited.has(field))
    if (own.length === 0) return { values, faults: onePerField(faults) }
    for (const { field, reason, why } of own) {
      // What a code lacks is said where it is typed.
      faults.push(faultOf(one, field === 'code' ? THERE : field, reason, why))
      edited.delete(field)
    }
    if (one.row === null) return { values, faults: onePerField(faults) }
  }
}

const identityOf = ({ row }: One): Row => ({ id: row?.['id'], path: row?.['path'] })

function documentOf({ subject, code }: One, values: Readonly<Record<string, Json>>, fixed: Row) {
  const said = Object.entries(LIST_FIELDS[subject]).map(([name, field]) => [
    name,
    field.said(values[name] ?? null, new Map()),
  ])
  const all = { code, ...(subject === 'category' ? fixed : {}), ...Object.fromEntries(said) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Row
}

/** A category stays under the root whose address it has: cards, top-ups, games. */
function standFaults({ row }: One, tree: readonly Row[], values: Readonly<Record<string, Json>>) {
  const parent = values['parent'] ?? null
  const refuse = (reason: FieldReason, why: string) => [{ field: 'parent', reason, why }]
  if (row === null) {
    if (parent === null) return refuse('required', 'a new category stands under another')
    if (!isOpenRoot(rootOf(tree, parent))) return refuse('not_allowed', 'has no such pages')
    return []
  }
  const former = row['parent'] ?? null
  if (parent === former) return []
  if (parent === null || former === null)
    return refuse('not_allowed', 'its address would be another')
  if (rootOf(tree, parent)?.['code'] !== rootOf(tree, former)?.['code'])
    return refuse('not_allowed', 'its address would be another')
  return []
}

function onePerField(faults: readonly EditFault[]): readonly EditFault[] {
  return [...new Map(faults.map((fault) => [fault.field, fault])).values()]
}
