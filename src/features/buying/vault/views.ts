import { findProduct } from '#features/goods/browse/queries.ts'
import { itemLabel } from '#features/goods/browse/view/names.ts'
import { goodsImage, productName, type ShopView } from '#features/goods/browse/views.ts'
import { phraseIn, productPath } from '#features/goods/catalogue/rules.ts'
import { CSV_MARK, csvRow } from '#kernel/csv.ts'
import { dayOf } from '#kernel/day.ts'
import type { Db } from '#platform/db.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { mapInTurns } from '#platform/turns.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { listOwnKeys, type OwnKey, type OwnKeysQuery } from './queries.ts'
import type { KeyParts, OpenedKey } from './rules.ts'
import type { KeyView, RevealedView } from './schema.ts'

/** For whom keys are shown. */
export type KeyReader = ShopView & {
  readonly now: Date
  /** The shop's. */
  readonly timeZone: string
}

/** A page of a shopper's keys, newest first, without what they say. */
export async function listKeyViews(
  db: Db,
  reader: KeyReader,
  accountId: string,
  query: OwnKeysQuery,
): Promise<{ readonly list: KeyView[]; readonly total: number }> {
  const { keys, total } = await listOwnKeys(db, accountId, query)
  return { list: await mapInTurns(keys, (key) => keyView(reader, key)), total }
}

function keyView(reader: KeyReader, key: OwnKey): KeyView {
  const { shop, language, t, now, timeZone } = reader
  const product = findProduct(shop, key.product)
  const item = product?.items.find(({ code }) => code === key.itemCode)
  const phrase = (english: string) => phraseIn(shop.catalogue, language, english)
  const state = key.isVoid
    ? 'refunded'
    : key.usedAt
      ? 'used'
      : key.revealedAt
        ? 'revealed'
        : 'hidden'
  return {
    id: key.unit,
    order: key.order,
    order_no: key.orderNumber,
    product: {
      code: product?.code ?? key.product,
      goods_name: product ? productName(reader, product) : key.productName,
      image: product ? goodsImage(shop, product) : '',
      path: product ? productPath(product) : null,
    },
    label: product && item ? itemLabel(reader, product, item).label : key.itemName,
    masked: `•••• ${key.lastFour}`,
    state,
    state_text: t(`cardpwd.state.${state}`),
    expires_on: key.expiresOn,
    // A calendar day is the same everywhere.
    expires_text:
      key.expiresOn === null
        ? null
        : formatDate(language, new Date(`${key.expiresOn}T12:00:00Z`), 'UTC'),
    is_expired: key.expiresOn !== null && key.expiresOn <= dayOf(now),
    delivered_at: key.deliveredAt.toISOString(),
    delivered_text: formatDate(language, key.deliveredAt, timeZone),
    can: {
      reveal: !key.isVoid && !key.isWithheld,
      mark: !key.isVoid && key.revealedAt !== null,
      report: !key.isVoid && !key.isWithheld,
    },
    redeem: {
      at: product?.brand.redeemAt ? phrase(product.brand.redeemAt) : null,
      steps: product?.brand.redeemSteps.map(phrase) ?? [],
    },
  }
}

/** What a key says. */
export function revealedView(t: Translate, id: string, parts: KeyParts): RevealedView {
  const { url, image, ...typed } = parts
  const picture = image?.startsWith('data:image/') ? image : null
  // A browser would ask the server for what is no picture, as an address that stands in its log: it is told as text.
  const told = image === undefined || picture !== null ? typed : { ...typed, image }
  return {
    id,
    kind: picture === null ? (url === undefined ? 'code' : 'link') : 'picture',
    parts: Object.entries(told).map(([name, value]) => ({
      name,
      label: partLabel(t, name),
      value,
    })),
    url: url ?? null,
    picture,
  }
}

function partLabel(t: Translate, name: string): string {
  switch (name) {
    case 'code':
    case 'number':
    case 'serial':
    case 'pin':
    case 'cvv':
    case 'expiry':
    case 'access_number':
    case 'url':
    case 'image':
      return t(`cardpwd.part.${name}`)
    default:
      return name
  }
}

/** A table of keys with what they say, one a row. Pictures are too large for a cell. */
export async function keysAsCsv(
  { t }: Pick<KeyReader, 't'>,
  views: readonly KeyView[],
  opened: readonly OpenedKey[],
): Promise<string> {
  const byId = new Map(views.map((view) => [view.id, view]))
  const names = [...new Set(opened.flatMap(({ parts }) => Object.keys(parts)))].filter(
    (name) => name !== 'image',
  )
  const head = [
    t('cardpwd.column.bought'),
    t('cardpwd.column.order'),
    t('cardpwd.column.product'),
    t('cardpwd.column.value'),
    ...names.map((name) => partLabel(t, name)),
    t('cardpwd.column.expires'),
  ]
  const rows = await mapInTurns(opened, ({ unit, parts }) => {
    const view = byId.get(unit)
    return csvRow([
      view?.delivered_at ?? '',
      view?.order_no ?? '',
      view?.product.goods_name ?? '',
      view?.label ?? '',
      ...names.map((name) => parts[name] ?? ''),
      view?.expires_on ?? '',
    ])
  })
  return CSV_MARK + csvRow(head) + rows.join('')
}
