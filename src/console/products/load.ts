import { readSetting } from '#features/base/setting/queries.ts'
import {
  listChanges,
  listGoods,
  listHistory,
  listLocks,
  type ListedChange,
  type PastField,
} from '#features/goods/editing/queries.ts'
import { goodsTexts } from '#features/goods/editing/views.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatCount, formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import { edgeOf, pageBeyond, type Edge } from '../kit/paging.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { fieldText } from './field-text.ts'
import { filterOf, readFilters, viewOf, type FilterValues, type ViewName } from './filters.ts'
import { productRows, type ProductRows } from './rows.ts'

export interface ChangeRow {
  readonly id: string
  readonly kind: ListedChange['kind']
  readonly by: string
  readonly at: string
  readonly rows: string
  readonly isUndone: boolean
}

export interface PastRow {
  readonly key: string
  readonly at: string
  readonly by: string
  readonly field: string
  readonly before: string
  readonly after: string
}

export interface ProductsData {
  readonly view: ViewName | null
  readonly filters: FilterValues
  readonly groups: readonly ProductRows[]
  readonly previous: string | null
  readonly next: string | null
  readonly mayChange: boolean
  readonly mayPrice: boolean
  /** The latest changes, by whomever. */
  readonly changes: readonly ChangeRow[]
  /** What became of one item that was asked about. */
  readonly history: {
    readonly code: string
    readonly name: string
    readonly rows: readonly PastRow[]
    readonly locked: readonly string[]
  } | null
}

const LISTED = 50
const CHANGES_SHOWN = 8
const PAST_SHOWN = 50
const ITEM_CODE = /^[a-z]+(:[a-z0-9_.-]+){2,3}$/

/** The rows of the first page of what is asked for, and what is beside it. */
export async function load(context: ConsoleContext): Promise<Loaded<ProductsData>> {
  const { ctx, query, t } = context
  const filters = readFilters(query)
  const from = edgeOf(query, ITEM_CODE)
  const { floor } = await readSetting(ctx.db, priceTermsSetting)
  const found = await listGoods(ctx.db, {
    filter: filterOf(filters),
    floorBasisPoints: floor?.basisPoints ?? 0,
    now: ctx.now(),
    from,
    limit: LISTED + 1,
    language: context.language.code,
  })
  const { shown, newer, older } = pageBeyond(found, LISTED, from, ({ code }) => code)
  const address = (edge: Edge | null) =>
    edge &&
    `/products?${new URLSearchParams({ ...filters, [edge.direction]: edge.key }).toString()}`
  return {
    title: t('console.products.nav'),
    data: {
      view: viewOf(filters),
      filters,
      groups: await productRows(context, shown),
      previous: address(newer),
      next: address(older),
      mayChange: mayDo(ctx.operator, 'product.change'),
      mayPrice: mayDo(ctx.operator, 'price.change'),
      changes: (await listChanges(ctx.db, null, CHANGES_SHOWN)).map((one) =>
        changeRow(context, one),
      ),
      history: await historyOf(context, query.get('history')),
    },
  }
}

function changeRow({ language, timeZone }: ConsoleContext, one: ListedChange): ChangeRow {
  return {
    id: one.id,
    kind: one.kind,
    by: actorName(one.by),
    at: formatShortMoment(language.code, one.at, timeZone),
    rows: formatCount(language.code, one.rows),
    isUndone: one.undoneBy !== null,
  }
}

async function historyOf(
  context: ConsoleContext,
  code: string | null,
): Promise<ProductsData['history']> {
  if (code === null || !ITEM_CODE.test(code)) return null
  const { ctx, language, timeZone, t } = context
  const past = await listHistory(ctx.db, 'item', code, { before: null, limit: PAST_SHOWN })
  const maySeeCost = mayDo(ctx.operator, 'price.read')
  const item = { subject: 'item', code } as const
  const { text, nameOf } = await goodsTexts(ctx.db, t, language.code, [item])
  const row = ({ change, field, by, at, before, after }: PastField): PastRow => ({
    key: `${change} ${field}`,
    at: formatShortMoment(language.code, at, timeZone),
    by: actorName(by),
    field: fieldText(t, field),
    before: text(field, before),
    after: text(field, after),
  })
  return {
    code,
    name: nameOf(item),
    rows: past.filter(({ field }) => field !== 'cost' || maySeeCost).map(row),
    locked: await listLocks(ctx.db, code),
  }
}
