import { pageForm, type Fields, type PageForms } from '../forms/form.ts'
import { ACCOUNT_FIELD, PRODUCT_FIELD } from '../forms/goods-fields.ts'
import { lineName, withChange, withLine } from '../forms/visitor-cart.ts'
import { latinDigits, wholeNumber } from '#kernel/digits.ts'
import { parseMajor, toMajor } from '#kernel/money.ts'
import { QUANTITY_MAX } from '#features/buying/order/rules.ts'

/** Name of the check boxes of lines. */
export const SELECT = 'select'

/** The form of the check boxes, which stand outside of it: the way to payment. */
export const PAY = 'cart-pay'

/** Names of the fields of an amount: what is typed, and how many digits its currency has after the point. */
export const AMOUNT = 'amount'
export const AMOUNT_DIGITS = 'amount_digits'

/** An amount as people type it, in minor units; NaN for none. */
export function amountMinor(text: string, digits: number): number {
  const minor = parseMajor(latinDigits(text).trim(), digits)
  return minor === null ? Number.NaN : Number(minor)
}

const typedAmount = (fields: Fields) =>
  amountMinor(fields.text(AMOUNT), Number(fields.text(AMOUNT_DIGITS)))

/** How many digits an amount's currency has after the point. */
export const digitsOf = ({ amount }: { readonly amount: string }): number =>
  amount.split('.')[1]?.length ?? 0

/** An amount as it is typed: without digits that say nothing. */
export function amountText(
  amount: { readonly amount: string } | { readonly minor: string; readonly digits: number },
): string {
  const text = 'amount' in amount ? amount.amount : toMajor(BigInt(amount.minor), amount.digits)
  return text.replace(/\.0+$/, '')
}

/** What the form of a product asks for. */
function wanted(fields: Fields) {
  return {
    item: fields.text('item'),
    quantity: wholeNumber(fields.text('quantity')),
    fields: fields.beginning(ACCOUNT_FIELD),
  }
}

const OWN_PATH = /^(\/[a-z0-9-]+)+$/

/** To the product with the same item chosen. The account is typed again: it never gets into an address. */
function backToProduct(fields: Fields): string | null {
  const path = fields.text(PRODUCT_FIELD)
  return OWN_PATH.test(path) ? `${path}?item=${encodeURIComponent(fields.text('item'))}` : null
}

export const forms = {
  /** Posted by a product's page without script. */
  add: pageForm({
    call: 'cart/add',
    body: wanted,
    done: () => '/shop-cart',
    comeBack: backToProduct,
    asVisitor: (fields, lines) => {
      const asked = wanted(fields)
      return { lines: withLine(lines, asked, QUANTITY_MAX), asked }
    },
  }),
  check: pageForm({
    call: 'account/validate',
    body: (fields) => ({
      item: fields.text('item'),
      fields: fields.beginning(ACCOUNT_FIELD),
    }),
    done: () => null,
  }),
  buyNow: pageForm({
    call: 'order/create',
    body: (fields) => ({ lines: [wanted(fields)] }),
    done: ({ order }) => `/order/cashier?order=${order}`,
    comeBack: backToProduct,
  }),
  pay: pageForm({
    call: 'order/create',
    body: (fields) => ({ cart: true, select: fields.all(SELECT) }),
    done: ({ order }) => `/order/cashier?order=${order}`,
  }),
  quantity: pageForm({
    call: 'cart/update',
    body: (fields) => ({ id: fields.text('id'), quantity: wholeNumber(fields.text('quantity')) }),
    done: () => null,
    asVisitor: (fields, lines) => {
      const line = lines.find((each) => lineName(each) === fields.text('id'))
      if (!line) return { lines, asked: null }
      const asked = { ...line, quantity: wholeNumber(fields.text('quantity')) }
      return { lines: lines.map((each) => (each === line ? asked : each)), asked }
    },
  }),
  amount: pageForm({
    call: 'cart/update',
    body: (fields) => ({
      id: fields.text('id'),
      quantity: wholeNumber(fields.text('quantity')),
      amount: typedAmount(fields),
    }),
    done: () => null,
    asVisitor: (fields, lines) => {
      const line = lines.find((each) => lineName(each) === fields.text('id'))
      if (!line) return { lines, asked: null }
      const asked = { ...line, amount: typedAmount(fields) }
      return { lines: withChange(lines, line, asked, QUANTITY_MAX), asked }
    },
  }),
  remove: pageForm({
    call: 'cart/remove',
    body: (fields) => ({ id: fields.text('id') }),
    done: () => null,
    asVisitor: (fields, lines) => ({
      lines: lines.filter((line) => lineName(line) !== fields.text('id')),
      asked: null,
    }),
  }),
  /** Lines being paid can be changed only once their order is cancelled: then they are in the cart again. */
  cancelOrder: pageForm({
    call: 'order/cancel',
    body: (fields) => ({ order: fields.text('order') }),
    done: () => null,
  }),
  removeSelected: pageForm({
    call: 'cart/remove',
    body: (fields) => ({ ids: fields.all(SELECT) }),
    done: () => null,
  }),
} as const satisfies PageForms
