import { findProduct } from '#features/goods/browse/queries.ts'
import { productName, type ShopView } from '#features/goods/browse/views.ts'
import { productPath, textIn } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { formatDate, formatMoney } from '#platform/i18n/format.ts'
import { formatPercent } from '#platform/i18n/percent.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { MessageValues } from '#platform/i18n/messages.ts'
import type { StoredNotice } from './queries.ts'
import {
  ORDER_NOTICES,
  type NoticeContent,
  type NoticeKind,
  type NoticeOrder,
  type OrderNoticeKind,
} from './rules.ts'
import { readNoticeContent, type NoticeView } from './schema.ts'

/** Where each kind leads; a price leads to its product. */
const PATHS: Readonly<Record<Exclude<NoticeKind, 'price_drop' | OrderNoticeKind>, string>> = {
  welcome: '/',
  password_changed: '/userDetail?section=security',
  email_changed: '/userDetail',
  new_device: '/userDetail?section=devices',
  identity_linked: '/user/link',
  identity_unlinked: '/user/link',
  factor_added: '/userDetail?section=security',
  factor_removed: '/userDetail?section=security',
  cancellation_undone: '/user/account',
}

/**
 * A notice in the reader's language. Null for a kind this release does not know.
 * @param timeZone the shop's: days are its days
 */
export function noticeView(
  view: ShopView,
  notice: StoredNotice,
  timeZone: string,
): NoticeView | null {
  const content = readNoticeContent(notice.kind, notice.params)
  if (!content) return null
  const date = formatDate(view.language, notice.createdAt, timeZone)
  const { values, path } = isOfOrder(content)
    ? ofOrder(view, content.params)
    : content.kind === 'price_drop'
      ? priceDrop(view, content.params)
      : { values: content.params, path: PATHS[content.kind] }
  return {
    id: notice.publicId,
    kind: content.kind,
    title: view.t(`notice.${content.kind}.title`, { ...values, date }),
    text: view.t(textKeyOf(content), { ...values, date }),
    path,
    created_at: notice.createdAt.toISOString(),
    time_text: date,
    is_read: notice.readAt !== null,
  }
}

/** A program that says nothing of itself is not named. */
function textKeyOf(content: NoticeContent): MessageKey {
  if (content.kind === 'new_device' && !(content.params.browser && content.params.system))
    return 'notice.new_device.textUnknown'
  return `notice.${content.kind}.text`
}

function priceDrop(
  view: ShopView,
  params: Extract<NoticeContent, { kind: 'price_drop' }>['params'],
): { values: MessageValues; path: string } {
  const percent = formatPercent(view.language, params.percent / 100)
  const product = findProduct(view.shop, params.product)
  if (!product) return { values: { product: params.name, percent }, path: '/user/collect' }
  const name = view.t('product.title', {
    name: productName(view, product),
    region: textIn(product.region.name, view.language),
  })
  return { values: { product: name, percent }, path: productPath(product) }
}

function isOfOrder(
  content: NoticeContent,
): content is Extract<NoticeContent, { kind: OrderNoticeKind }> {
  return (ORDER_NOTICES as readonly string[]).includes(content.kind)
}

/** Amounts stand in the currency that was paid, whatever the reader looks at the shop in. */
function ofOrder(
  view: ShopView,
  { order, number, product: code, name, amount, variant }: NoticeOrder,
): { values: MessageValues; path: string } {
  const product = findProduct(view.shop, code)
  const currency = amount && view.shop.currencyByCode.get(amount.currency)
  const text =
    amount && currency
      ? formatMoney(
          view.language,
          currency.code,
          BigInt(amount.minor),
          currency.minorUnits,
          shownDigits(currency),
        )
      : ''
  return {
    values: { number, variant, amount: text, product: product ? productName(view, product) : name },
    path: `/order/detail?order=${order}`,
  }
}
