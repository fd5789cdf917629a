import type { ListedItem } from '#features/goods/editing/queries.ts'
import { decimalMark } from '#features/goods/editing/engine/cells.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

export interface ItemRow {
  readonly code: string
  readonly name: string
  readonly isOn: boolean
  readonly look: StateLook
  readonly state: string
  readonly price: { readonly minor: string; readonly currency: string }
  /** As it is typed. */
  readonly priceText: string
  readonly cost: string | null
  /** Of the price, where price and cost are of one currency. */
  readonly margin: string | null
  readonly isBelowCost: boolean
  readonly stock: number | null
  /** Keys on the shelf, where they are counted. */
  readonly free: string | null
  readonly position: number
  readonly supplier: string | null
  readonly sold: string
  /** Fields that imports and syncs leave alone. */
  readonly locked: readonly string[]
}

/** The items of one product, under its name. */
export interface ProductRows {
  readonly product: string
  readonly name: string
  readonly kind: string
  readonly picture: string
  readonly items: readonly ItemRow[]
}

export async function productRows(
  context: ConsoleContext,
  items: readonly ListedItem[],
): Promise<readonly ProductRows[]> {
  const money = await moneyTexts(context)
  const digits = new Map(
    (await listCurrencies(context.ctx.db)).map(({ code, minorUnits }) => [code, minorUnits]),
  )
  const groups = Map.groupBy(items, ({ product }) => product)
  return [...groups].map(([product, own]) => {
    const first = own[0]
    return {
      product,
      name: `${first?.brandName ?? ''}, ${first?.regionName ?? ''}`,
      kind: first?.kind ?? '',
      picture: context.pictureOf(product),
      items: own.map((item) => rowOf(context, money, digits, item)),
    }
  })
}

function rowOf(
  context: ConsoleContext,
  money: (minor: string, currency: string) => string,
  digits: ReadonlyMap<string, number>,
  item: ListedItem,
): ItemRow {
  const { language, t } = context
  const { priceMinor: minor, priceCurrency: currency, costCurrency } = item
  // What goods cost the shop is for those who may see how its prices come about.
  const costMinor = mayDo(context.ctx.operator, 'price.read') ? item.costMinor : null
  const plain = toMajor(BigInt(minor), digits.get(currency) ?? 0)
  const basisPoints =
    costMinor !== null && costCurrency === currency
      ? Number(((BigInt(minor) - BigInt(costMinor)) * 10_000n) / BigInt(minor))
      : null
  const state = stateOf(item)
  return {
    code: item.code,
    name: item.name,
    isOn: item.status === 'active',
    look: state.look,
    state: t(`console.products.${state.word}`),
    price: { minor, currency },
    priceText: plain.replace('.', decimalMark(language.code)),
    cost: costMinor === null || costCurrency === null ? null : money(costMinor, costCurrency),
    margin: basisPoints === null ? null : percentText(language.intl, basisPoints),
    isBelowCost: basisPoints !== null && basisPoints < 0,
    stock: item.stock,
    free: item.free === null ? null : formatCount(language.code, BigInt(item.free)),
    position: item.position,
    supplier: item.supplier,
    sold: formatCount(language.code, BigInt(item.sold)),
    locked: item.locked,
  }
}

function percentText(intl: string, basisPoints: number): string {
  return new Intl.NumberFormat(intl, { style: 'percent', maximumFractionDigits: 1 }).format(
    basisPoints / 10_000,
  )
}

type StateWord = 'on' | 'off' | 'aboveOff' | 'soldOut' | 'toOrder'

function stateOf(item: ListedItem): { readonly look: StateLook; readonly word: StateWord } {
  if (item.status === 'suspended') return { look: 'gone', word: 'off' }
  if (!item.isAboveActive) return { look: 'gone', word: 'aboveOff' }
  const isCounted = item.delivery === 'card_key' || item.stock !== null
  const count = Number(item.free ?? 0) + (item.stock ?? 0)
  if (isCounted && count === 0)
    return item.isToOrder
      ? { look: 'done', word: 'toOrder' }
      : { look: 'badge bad', word: 'soldOut' }
  return { look: 'done', word: 'on' }
}
