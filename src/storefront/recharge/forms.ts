import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { pageForm, type Fields, type PageForms } from '../forms/form.ts'
import { ACCOUNT_FIELD } from '../forms/goods-fields.ts'
import { withLine, type VisitorLine } from '../forms/visitor-cart.ts'
import { AMOUNT, AMOUNT_DIGITS, AMOUNT_ITEM, amountMinor, COUNTRY, ITEM, NUMBER } from './fields.ts'

function wanted(fields: Fields): VisitorLine {
  const item = fields.text(ITEM)
  const typed = fields.text(AMOUNT)
  const isFree = item !== '' && item === fields.text(AMOUNT_ITEM) && typed.trim() !== ''
  return {
    item,
    quantity: 1,
    fields: fields.beginning(ACCOUNT_FIELD),
    ...(isFree ? { amount: amountMinor(typed, Number(fields.text(AMOUNT_DIGITS))) } : {}),
  }
}

/** A visitor's order waits in the cart until they have signed in. */
function asVisitor(fields: Fields, lines: readonly VisitorLine[]) {
  const asked = wanted(fields)
  return { lines: withLine(lines, asked, QUANTITY_MAX), asked }
}

/** Posted where no script runs: a number stands in no address. */
export const forms = {
  detect: pageForm({
    call: 'recharge/detect',
    body: (fields) => {
      const country = fields.text(COUNTRY)
      return { number: fields.text(NUMBER), ...(country === '' ? {} : { country }) }
    },
    done: () => null,
  }),
  add: pageForm({
    call: 'cart/add',
    body: wanted,
    done: () => '/shop-cart',
    asVisitor,
  }),
  buyNow: pageForm({
    call: 'order/create',
    body: (fields) => ({ lines: [wanted(fields)] }),
    done: ({ order }) => `/order/cashier?order=${order}`,
    asVisitor,
  }),
} as const satisfies PageForms
