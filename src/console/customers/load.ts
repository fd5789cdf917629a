import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import {
  countShopperViews,
  listShoppers,
  type ListedShopper,
} from '#features/office/shopper/queries.ts'
import {
  SHOPPER_VIEWS,
  SHOWN_MAX,
  STATUS_OF,
  type ShopperView,
} from '#features/office/shopper/rules.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { COUNTED_MOST, countedTexts } from '../kit/counted.ts'
import { edgeOf, pageBeyond, type Edge } from '../kit/paging.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface CustomerRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly uid: string
  readonly level: string
  readonly look: StateLook
  readonly state: string
  readonly since: string
  readonly lastOrder: string | null
}

export interface CustomersData {
  readonly views: readonly ShopperView[]
  readonly view: ShopperView
  readonly counts: Readonly<Record<ShopperView, string>>
  readonly rows: readonly CustomerRow[]
  /** Addresses of the pages beside this one; null where there is none. */
  readonly newer: string | null
  readonly older: string | null
}

export async function load(context: ConsoleContext): Promise<Loaded<CustomersData>> {
  const { ctx, query, t } = context
  const view = SHOPPER_VIEWS.find((one) => one === query.get('view')) ?? 'all'
  const from = edgeOf(query, PUBLIC_ID)
  const found = await listShoppers(ctx.db, {
    status: STATUS_OF[view],
    from: from && { id: from.key, direction: from.direction },
    limit: SHOWN_MAX + 1,
  })
  const { shown, newer, older } = pageBeyond(found, SHOWN_MAX, from, ({ id }) => id)
  const address = (edge: Edge | null) =>
    edge && `/customers?view=${view}&${edge.direction}=${edge.key}`
  return {
    title: t('console.customers.nav'),
    data: {
      views: SHOPPER_VIEWS,
      view,
      counts: countedTexts(context, await countShopperViews(ctx.db, COUNTED_MOST)),
      rows: await customerRows(context, shown),
      newer: address(newer),
      older: address(older),
    },
  }
}

async function customerRows(
  context: ConsoleContext,
  shoppers: readonly ListedShopper[],
): Promise<CustomerRow[]> {
  const { t, language, timeZone } = context
  const levels = await levelNames(context)
  const date = (at: Date) => formatDate(language.code, at, timeZone)
  return shoppers.map((shopper) => ({
    id: shopper.id,
    name: shopper.nickname,
    email: shopper.email,
    uid: shopper.uid,
    level: levels(shopper.level),
    look: CUSTOMER_LOOKS[shopper.status],
    state: t(`console.customers.status.${shopper.status}`),
    since: date(shopper.registeredAt),
    lastOrder: shopper.lastOrderAt && date(shopper.lastOrderAt),
  }))
}

export const CUSTOMER_LOOKS: Readonly<Record<ListedShopper['status'], StateLook>> = {
  active: 'done',
  frozen: 'badge bad',
  cancelling: 'gone',
  erased: 'gone',
}

/** What each customer level is called, in the operator's language where it has a name there. */
export async function levelNames({
  ctx,
  t,
  language,
}: Pick<ConsoleContext, 'ctx' | 't' | 'language'>): Promise<(level: number) => string> {
  const { levelNames: names } = await readSetting(ctx.db, priceTermsSetting)
  return (level) => {
    if (level === 0) return t('console.customers.retail')
    const name = names[String(level)]
    return name?.[language.code] ?? name?.en ?? t('console.customers.level', { number: level })
  }
}
