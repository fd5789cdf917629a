import { fieldsOf } from '#features/goods/editing/engine/fields.ts'
import {
  findEditedEntry,
  listBelow,
  listGoodsChoices,
  listHistoryOf,
  listParents,
  type Below,
} from '#features/goods/editing/queries.ts'
import { THERE, type EntryList, type Json, type Subject } from '#features/goods/editing/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { knownList } from '../lists/load.ts'
import { listPath } from '../lists/names.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'
import { historyView, type HistoryView } from '../product/history-view.ts'
import type { FieldSpec, GoodsData, Named } from '../product/load.ts'
import { textsView, type TextsView } from '../product/texts-view.ts'

export const ENTRY_VIEWS = ['facts', 'texts', 'history'] as const
export type EntryView = (typeof ENTRY_VIEWS)[number]

export interface EntryData {
  readonly list: EntryList
  readonly view: EntryView
  readonly name: string
  /** Null where the catalogue has no such thing. */
  readonly status: 'active' | 'suspended' | null
  readonly entry: GoodsData
  /** What it is told apart by; sent along where it is taken away. */
  readonly there: Json
  readonly specs: Readonly<Partial<Record<Subject, Readonly<Record<string, FieldSpec>>>>>
  readonly choices: Readonly<Record<string, readonly Named[]>>
  readonly texts: TextsView
  readonly languages: readonly Named[]
  readonly below: readonly (Below & { readonly path: string })[]
  readonly isMoreBelow: boolean
  /** Null of a brand, which is never taken away. */
  readonly uses: number | null
  readonly history: HistoryView | null
  readonly mayChange: boolean
}

const BELOW_SHOWN = 30

/** One entry of a list, with what belongs to it. */
export async function load(context: ConsoleContext): Promise<Loaded<EntryData>> {
  const { ctx, params, query, language } = context
  const list = knownList(params['list'])
  const code = params['code'] ?? ''
  const found = await findEditedEntry(ctx.db, list, code)
  if (!found) throw new AppError('not_found')
  const { subject, kind, locked, words, uses } = found
  const { [THERE]: there = null, ...values } = found.values
  const mayChange = mayDo(ctx.operator, 'product.change')
  const view = ENTRY_VIEWS.find((one) => one === query.get('view')) ?? 'facts'
  const texts = textsView(words, query)
  const below = await listBelow(ctx.db, subject, code, {
    language: language.code,
    limit: BELOW_SHOWN + 1,
  })
  const own = words.find(({ name }) => name === 'name')?.texts.get(language.code)?.text
  const name = own ?? String(values['name'])
  return {
    title: name,
    data: {
      list,
      view,
      name,
      status: (values['status'] as EntryData['status'] | undefined) ?? null,
      entry: { subject, code, kind, values, locked },
      there,
      specs: { [subject]: specsOf(subject, mayChange) },
      choices: await entryChoices(context, code),
      texts,
      languages: LANGUAGES.map((one) => ({ code: one.code, name: one.nativeName })),
      below: below.slice(0, BELOW_SHOWN).map((one) => ({ ...one, path: pathOf(one) })),
      isMoreBelow: below.length > BELOW_SHOWN,
      uses,
      history:
        view === 'history'
          ? await historyView(context, (page) => listHistoryOf(ctx.db, subject, code, page))
          : null,
      mayChange,
    },
  }
}

function pathOf({ of, code }: Below): string {
  if (of === 'product') return `/products/${code}`
  const list = of === 'brand' ? 'brands' : of === 'game' ? 'games' : 'categories'
  return `${listPath(list)}/${code}`
}

export const specsOf = (subject: Subject, mayChange: boolean): Record<string, FieldSpec> =>
  Object.fromEntries(
    Object.entries(fieldsOf(subject)).map(([name, { kind, lock, choices = [] }]) => [
      name,
      { kind, lock, choices: [...choices], isOpen: mayChange },
    ]),
  )

/** What fields are chosen from, each by its name in the reader's language. @param category that is edited; null for a new one, which others are not part of */
export async function entryChoices(
  { ctx, language }: ConsoleContext,
  category: string | null,
): Promise<Readonly<Record<string, readonly Named[]>>> {
  const choices = await listGoodsChoices(ctx.db, language.code)
  const parents = await listParents(ctx.db, category)
  const named = (of: string) =>
    choices.flatMap((one) => (one.of === of ? { code: one.code, name: one.name } : []))
  return {
    category: named('category'),
    parent: named('category').filter((one) => parents.has(one.code)),
    platform: named('platform'),
    unit: named('unit'),
    game: named('game'),
  }
}
