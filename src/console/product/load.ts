import type { FieldFault } from '#features/buying/offer/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { productPath, type GoodsType } from '#features/goods/catalogue/rules.ts'
import { listCountries } from '#features/goods/region/queries.ts'
import { decimalMark } from '#features/goods/editing/engine/cells.ts'
import { GOODS_FIELDS } from '#features/goods/editing/engine/fields.ts'
import {
  findEditedProduct,
  listGoodsChoices,
  type EditedGoods,
} from '#features/goods/editing/queries.ts'
import { EDITED, type Edited, type Json } from '#features/goods/editing/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { LANGUAGES } from '#kernel/language.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { historyView, type HistoryView } from './history-view.ts'
import { itemsView, type ItemView } from './items-view.ts'
import { picturesView, type PicturesView } from './pictures-view.ts'
import { textsView, type TextsView } from './texts-view.ts'

export const PRODUCT_VIEWS = ['facts', 'items', 'texts', 'fields', 'pictures', 'history'] as const
export type ProductView = (typeof PRODUCT_VIEWS)[number]

/** A brand, a product or an item as the editor has it. */
export interface GoodsData {
  readonly subject: Edited
  readonly code: string
  readonly kind: string | null
  readonly values: Readonly<Record<string, Json>>
  readonly locked: readonly string[]
}

/** What a field is, and whether its reader may change it. */
export interface FieldSpec {
  readonly kind: string
  readonly lock: string
  readonly choices: readonly string[]
  readonly isOpen: boolean
}

export interface Named {
  readonly code: string
  readonly name: string
}

export interface ProductData {
  readonly code: string
  readonly view: ProductView
  readonly name: string
  readonly picture: string
  readonly state: 'on' | 'off' | 'brandOff'
  /** Its page in the shop. */
  readonly shopPath: string
  readonly delivery: string
  readonly brand: GoodsData
  readonly product: GoodsData
  readonly items: readonly ItemView[]
  readonly specs: Readonly<Record<Edited, Readonly<Record<string, FieldSpec>>>>
  readonly choices: Readonly<
    Record<
      'category' | 'platform' | 'region' | 'unit' | 'game' | 'country' | 'currency',
      readonly Named[]
    >
  >
  /** Digits behind the mark of each currency, and the mark itself. */
  readonly digits: Readonly<Record<string, number>>
  readonly mark: string
  readonly texts: TextsView
  readonly pictures: PicturesView
  readonly history: HistoryView | null
  /** Item whose fields are open. */
  readonly item: string | null
  /** What shoppers read where a field is filled in wrongly. */
  readonly tried: Readonly<Record<FieldFault, string>>
  readonly languages: readonly { readonly code: string; readonly name: string }[]
  readonly mayChange: boolean
  readonly mayWhy: boolean
}

export async function load(context: ConsoleContext): Promise<Loaded<ProductData>> {
  const { ctx, params, query, language } = context
  const code = params['code'] ?? ''
  const found = await findEditedProduct(ctx.db, code)
  if (!found) throw new AppError('not_found')
  const { brand, product, items, words } = found
  const choices = await listGoodsChoices(ctx.db, language.code)
  const currencies = await listCurrencies(ctx.db)
  const view = PRODUCT_VIEWS.find((known) => known === query.get('view')) ?? 'facts'
  const regionName =
    product.values['region_name'] ??
    choices.find(({ of, code: region }) => of === 'region' && region === product.values['region'])
      ?.name
  const name = `${String(brand.values['name'])}, ${String(regionName ?? '')}`
  const maySeeCost = mayDo(ctx.operator, 'price.read')
  const named = (of: string) =>
    choices.flatMap((one) => (one.of === of ? { code: one.code, name: one.name } : []))
  return {
    title: name,
    data: {
      code,
      view,
      name,
      picture: context.pictureOf(code),
      state: stateOf(brand, product),
      shopPath: productPath({
        type: brand.type as GoodsType,
        code,
        brand: { recharge: brand.country === null ? null : { country: brand.country } } as never,
      }),
      delivery: brand.delivery,
      brand: goodsData(brand, maySeeCost),
      product: goodsData(product, maySeeCost),
      items: await itemsView(
        context,
        code,
        items.map((one) => goodsData(one, maySeeCost)),
      ),
      specs: specsOf(context),
      choices: {
        category: named('category'),
        platform: named('platform'),
        region: named('region'),
        unit: named('unit'),
        game: named('game'),
        country: await countriesOf(context),
        currency: currencies.map((one) => ({ code: one.code, name: one.code })),
      },
      digits: Object.fromEntries(currencies.map((one) => [one.code, one.minorUnits])),
      mark: decimalMark(language.code),
      texts: textsView(words, query),
      pictures: picturesView(goodsData(brand, false), goodsData(product, false)),
      history: view === 'history' ? await historyView(context, code) : null,
      item: items.find((one) => one.code === query.get('item'))?.code ?? null,
      tried: triedOf(context),
      languages: LANGUAGES.map((one) => ({ code: one.code, name: one.nativeName })),
      mayChange: mayDo(ctx.operator, 'product.change'),
      mayWhy: maySeeCost,
    },
  }
}

function triedOf({ t }: ConsoleContext): ProductData['tried'] {
  return {
    missing: t('error.field.required'),
    digits: t('error.field.digits_only'),
    length: t('error.field.length_between', { min: '{min}', max: '{max}' }),
    email: t('error.field.email_format'),
    phone: t('error.field.phone_format'),
    pattern: t('error.field.account_format'),
  }
}

function stateOf(brand: EditedGoods, product: EditedGoods): ProductData['state'] {
  if (product.values['status'] !== 'active') return 'off'
  return brand.values['status'] === 'active' ? 'on' : 'brandOff'
}

/** What goods cost the shop is for those who may see how its prices come about. */
function goodsData(
  { subject, code, kind, values, locked }: EditedGoods,
  maySeeCost: boolean,
): GoodsData {
  const { cost = null, ...rest } = values
  const shown = subject === 'item' && maySeeCost ? { ...rest, cost } : rest
  return { subject, code, kind, values: shown, locked }
}

function specsOf({ ctx }: ConsoleContext): ProductData['specs'] {
  const may = (needs: Parameters<typeof mayDo>[1]) =>
    mayDo(ctx.operator, 'product.change') && mayDo(ctx.operator, needs)
  const specs = EDITED.map((subject) => [
    subject,
    Object.fromEntries(
      Object.entries(GOODS_FIELDS[subject]).map(([name, { kind, lock, choices = [], needs }]) => [
        name,
        { kind, lock, choices: [...choices], isOpen: may(needs) },
      ]),
    ),
  ])
  return Object.fromEntries(specs) as ProductData['specs']
}

async function countriesOf({ ctx, language }: ConsoleContext): Promise<readonly Named[]> {
  return (await listCountries(ctx.db))
    .map(({ code, name }) => ({ code, name: name[language.code] ?? name.en ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language.intl))
}
