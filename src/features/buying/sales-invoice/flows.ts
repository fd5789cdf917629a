import { listCurrencies } from '#features/goods/currency/queries.ts'
import { taxByRate } from '#features/goods/tax/rules.ts'
import type { DrawReceipt, ReceiptContent } from '#features/buying/receipt/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import { formatCount, formatMoment, formatMoney, formatRate } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { findInvoice, type SalesInvoice } from './queries.ts'

export interface InvoiceReader {
  readonly language: LanguageCode
  readonly timeZone: string
  readonly shopName: string
  readonly drawReceipt: DrawReceipt
  /** Whose it must be; null for an operator. */
  readonly accountId: string | null
}

/** An invoice or credit note as a PDF, as it was issued, in its reader's language. Throws 'not_found'. */
export async function makeInvoice(
  ctx: Pick<Ctx, 'db' | 'now'>,
  reader: InvoiceReader,
  publicId: string,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const invoice = await findInvoice(ctx.db, publicId, reader.accountId)
  if (!invoice) throw new AppError('not_found')
  const currency = (await listCurrencies(ctx.db)).find(({ code }) => code === invoice.currency)
  const content = invoiceContent(reader, invoice, currency?.minorUnits ?? 0)
  return {
    name: `${invoice.number}.pdf`,
    content: await reader.drawReceipt(content, invoice.issuedAt),
  }
}

function invoiceContent(
  { language, timeZone, shopName }: InvoiceReader,
  invoice: SalesInvoice,
  digits: number,
): ReceiptContent {
  const t = translatorOf(language)
  const { content, number, kind } = invoice
  const money = (minor: bigint | string) =>
    formatMoney(language, invoice.currency, BigInt(minor), digits, digits)
  const gross = ({ price_minor, quantity }: (typeof content.lines)[number]) =>
    BigInt(price_minor) * BigInt(quantity)
  const isCredit = kind === 'credit_note'
  return {
    language,
    shop: shopName,
    title: t(isCredit ? 'order.invoice.creditNoteTitle' : 'order.invoice.title', { number }),
    seller: [
      content.seller.name,
      ...content.seller.address,
      t('order.invoice.taxId', { id: content.seller.tax_id }),
    ],
    facts: [
      {
        label: t('order.invoice.issued'),
        value: formatMoment(language, invoice.issuedAt, timeZone),
      },
      { label: t('order.number'), value: content.order },
      {
        label: t(isCredit ? 'order.invoice.givenBack' : 'order.receipt.paid'),
        value: formatMoment(language, new Date(content.at), timeZone),
      },
      ...(content.about === null
        ? []
        : [{ label: t('order.invoice.about'), value: content.about }]),
    ],
    buyer: { label: t('order.receipt.buyer'), lines: invoice.buyer?.lines ?? [] },
    columns: {
      goods: t('order.receipt.goods'),
      quantity: t('order.receipt.quantity'),
      price: t('order.receipt.price'),
      total: t('order.receipt.amount'),
    },
    lines: content.lines.map((line) => ({
      name: line.goods,
      detail: line.detail,
      quantity: formatCount(language, line.quantity),
      price: money(line.price_minor),
      total: money(gross(line)),
    })),
    sums: sumsOf(language, invoice, money),
    notes: [
      ...(content.lines.some(({ tax_class }) => tax_class === 'multi_purpose')
        ? [t('order.invoice.multiPurpose')]
        : []),
      t('order.invoice.note'),
    ],
  }
}

function sumsOf(
  language: LanguageCode,
  invoice: SalesInvoice,
  money: (minor: bigint | string) => string,
): ReceiptContent['sums'] {
  const t = translatorOf(language)
  const { content, kind } = invoice
  return [
    ...(content.fee_minor === '0'
      ? []
      : [{ label: t('order.fee'), value: money(content.fee_minor) }]),
    ...ratesOf(invoice).map(({ basisPoints, minor }) => ({
      label: t('order.tax', { rate: formatRate(language, basisPoints) }),
      value: money(minor),
    })),
    { label: t('order.invoice.net'), value: money(invoice.grossMinor - invoice.taxMinor) },
    {
      label: t(kind === 'credit_note' ? 'order.invoice.credited' : 'order.total'),
      value: money(invoice.grossMinor),
      isStrong: true,
    },
  ]
}

/** What of an invoice is tax, by rate. */
const ratesOf = ({ content }: SalesInvoice) =>
  taxByRate(
    content.lines.map(({ quantity, tax_class, basis_points, tax_minor }) => ({
      quantity,
      tax: tax_class && {
        taxClass: tax_class,
        basisPoints: basis_points,
        minor: BigInt(tax_minor),
      },
    })),
  )
