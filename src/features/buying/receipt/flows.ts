import { listAddresses, type StoredAddress } from '#features/people/address/queries.ts'
import { countryView } from '#features/goods/browse/views.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { findStoredOrder, type StoredOrder } from '#features/buying/order/view/stored.ts'
import { moneyView, orderView, taxOfOrder, type OrderReader } from '#features/buying/order/views.ts'
import { AppError } from '#kernel/error.ts'

import type { Ctx } from '#platform/ctx.ts'
import { formatCount, formatMoment, formatParts, formatRate } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { listPaidBack } from './queries.ts'
import type { DrawReceipt, ReceiptContent } from './rules.ts'

export interface Seller {
  readonly shop: ShopSnapshot
  readonly timeZone: string
  /** Origin of the shop. */
  readonly publicUrl: string
  readonly drawReceipt: DrawReceipt
}

export interface Receipt {
  /** Of the file. */
  readonly name: string
  readonly content: Buffer
}

/**
 * The receipt of a paid order as a PDF, in the language it was bought in. Throws 'not_found' for what is not theirs,
 * 'order_closed' for what was never paid.
 */
export async function makeReceipt(
  ctx: Pick<Ctx, 'db' | 'now'>,
  seller: Seller,
  buyer: { readonly accountId: string; readonly email: string },
  publicId: string,
): Promise<Receipt> {
  const order = await findStoredOrder(ctx.db, buyer.accountId, publicId)
  if (!order) throw new AppError('not_found')
  if (order.settledAt === null) throw new AppError('order_closed')
  const [addresses, paidBack] = await Promise.all([
    listAddresses(ctx.db, buyer.accountId),
    listPaidBack(ctx.db, order.id),
  ])
  const language = order.language
  const reader: OrderReader = {
    shop: seller.shop,
    language,
    t: translatorOf(language),
    now: ctx.now(),
    timeZone: seller.timeZone,
  }
  const content = receiptContent(reader, seller, order, {
    email: buyer.email,
    address: addresses[0] ?? null,
    paidBack,
  })
  return {
    name: `receipt-${order.number}.pdf`,
    content: await seller.drawReceipt(content, ctx.now()),
  }
}

interface BuyerFacts {
  readonly email: string
  readonly address: StoredAddress | null
  readonly paidBack: Awaited<ReturnType<typeof listPaidBack>>
}

function receiptContent(
  reader: OrderReader,
  { shop, publicUrl }: Seller,
  order: StoredOrder,
  { email, address, paidBack }: BuyerFacts,
): ReceiptContent {
  const { t, language, timeZone } = reader
  const view = orderView(reader, order)
  const moment = (at: Date) => formatMoment(language, at, timeZone)
  const { net } = view
  return {
    language,
    shop: shop.settings.name,
    title: t('order.receipt.title', { number: order.number }),
    seller: [shop.settings.corporateName, shop.settings.address, new URL(publicUrl).host],
    facts: [
      { label: t('order.number'), value: order.number },
      { label: t('order.receipt.ordered'), value: view.created_at_text },
      { label: t('order.receipt.paid'), value: moment(order.settledAt ?? order.createdAt) },
      { label: t('order.paymentMethod'), value: view.payment?.method_text ?? '' },
    ].filter(({ value }) => value !== ''),
    buyer: {
      label: t('order.receipt.buyer'),
      lines: [...(address ? addressLines(reader, address) : []), email],
    },
    columns: {
      goods: t('order.receipt.goods'),
      quantity: t('order.receipt.quantity'),
      price: t('order.receipt.price'),
      total: t('order.receipt.amount'),
    },
    lines: view.lines.map((line) => ({
      name: line.goods_name,
      detail: formatParts(language, [
        line.label,
        line.region,
        ...line.fields.map(({ label, value }) => `${label}: ${value}`),
      ]),
      quantity: formatCount(language, line.quantity),
      price: line.price.text,
      total: line.total.text,
    })),
    sums: [
      { label: t('order.items'), value: view.goods.text },
      { label: t('order.fee'), value: view.fee.text },
      { label: t('order.total'), value: view.total.text, ...(net ? {} : { isStrong: true }) },
      ...taxOfOrder(order).map(({ basisPoints, minor }) => ({
        label: t('order.tax', { rate: formatRate(language, basisPoints) }),
        value: moneyView(reader, order.currency, minor).text,
      })),
      // More or less than the total, so that what follows adds up.
      ...(view.paid && order.capturedMinor !== order.totalMinor
        ? [{ label: t('order.arrived'), value: view.paid.text }]
        : []),
      ...paidBack.map((refund) => ({
        label: t('order.receipt.refunded', { date: moment(refund.at) }),
        value: moneyView(reader, refund.currency, -refund.amountMinor).text,
      })),
      ...(net ? [{ label: t('order.netTotal'), value: net.text, isStrong: true as const }] : []),
    ],
    notes: [t('order.receipt.note')],
  }
}

function addressLines(reader: OrderReader, address: StoredAddress): string[] {
  const country = countryView({ ...reader, currency: US_DOLLAR }, address.country).name
  return [
    `${address.first_name} ${address.surname}`,
    address.address,
    [address.postal_code, address.region].filter((part) => part !== '').join(' '),
    country,
  ]
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
