import { listEntries, TEXTS_MOST } from '#features/goods/editing/queries.ts'
import { ENTRY_LISTS, type EntryList } from '#features/goods/editing/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { edgeOf, pageBeyond, type Edge } from '../kit/paging.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { listName, listPath } from './names.tsx'

export interface EntryRow {
  readonly code: string
  readonly name: string
  readonly above: string | null
  readonly depth: number
  readonly order: string
  readonly status: 'active' | 'suspended' | null
  readonly products: string
  readonly texts: string
  readonly isWhole: boolean
}

export interface ListsData {
  readonly list: EntryList
  readonly find: string
  readonly status: 'active' | 'suspended' | ''
  readonly rows: readonly EntryRow[]
  readonly previous: string | null
  readonly next: string | null
  readonly mayChange: boolean
  /** What was taken away a moment ago: its change and its name. */
  readonly removed: { readonly change: string; readonly name: string } | null
}

const LISTED = 100
const CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const CHANGE = /^[A-Za-z0-9_-]{22}$/

export function knownList(name: string | undefined): EntryList {
  const list = ENTRY_LISTS.find((one) => one === name)
  if (!list) throw new AppError('not_found')
  return list
}

/** A list of the catalogue, a page at a time, in the shop's order. */
export async function load(context: ConsoleContext): Promise<Loaded<ListsData>> {
  const { ctx, params, query, t, language } = context
  const list = knownList(params['list'])
  const find = (query.get('find') ?? '').trim().slice(0, 100)
  const status = (['active', 'suspended'] as const).find((one) => one === query.get('status')) ?? ''
  const from = edgeOf(query, CODE)
  const found = await listEntries(ctx.db, {
    list,
    find: find === '' ? null : find,
    status: status === '' ? null : status,
    from,
    limit: LISTED + 1,
    language: language.code,
  })
  const { shown, newer, older } = pageBeyond(found, LISTED, from, ({ code }) => code)
  const count = (value: number) => formatCount(language.code, value)
  const address = (edge: Edge | null) =>
    edge &&
    `${listPath(list)}?${new URLSearchParams({ ...asked(find, status), [edge.direction]: edge.key }).toString()}`
  return {
    title: listName(t, list),
    data: {
      list,
      find,
      status,
      rows: shown.map(({ order, products, texts, ...row }) => ({
        ...row,
        order: count(order),
        products: count(products),
        texts: `${count(texts)}/${count(TEXTS_MOST)}`,
        isWhole: texts === TEXTS_MOST,
      })),
      previous: address(newer),
      next: address(older),
      mayChange: mayDo(ctx.operator, 'product.change'),
      removed: removedOf(query),
    },
  }
}

const asked = (find: string, status: string): Record<string, string> => ({
  ...(find === '' ? {} : { find }),
  ...(status === '' ? {} : { status }),
})

function removedOf(query: URLSearchParams): ListsData['removed'] {
  const change = query.get('removed') ?? ''
  return CHANGE.test(change) ? { change, name: (query.get('name') ?? '').slice(0, 300) } : null
}
