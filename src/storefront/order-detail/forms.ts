import { wholeNumber } from '#kernel/digits.ts'
import { KEY_FORMS } from '../card-keys/forms.ts'
import { pageForm, type PageForms } from '../forms/form.ts'

const orderAddress = (order: string) => `/order/detail?order=${encodeURIComponent(order)}`

/** What the page has put there; anything else goes on as it is, for the call to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const forms = {
  ...KEY_FORMS,
  cancel: pageForm({
    call: 'order/cancel',
    body: (fields) => ({ order: fields.text('order') }),
    done: () => null,
  }),
  buyAgain: pageForm({
    call: 'cart/merge',
    body: (fields) => ({ lines: parsed(fields.text('lines')) as [] }),
    done: () => '/shop-cart',
  }),
  withdraw: pageForm({
    call: 'order/withdraw_request',
    body: (fields) => ({ order: fields.text('order') }),
    done: () => null,
  }),
  correct: pageForm({
    call: 'order/correct',
    body: (fields) => ({
      order: fields.text('order'),
      unit: fields.text('unit'),
      fields: fields.beginning('fields.'),
    }),
    done: () => null,
  }),
  problem: pageForm({
    call: 'order/refund_request',
    // An only unit has no box to tick.
    body: (fields) => ({
      order: fields.text('order'),
      reason: fields.text('reason') as 'other',
      text: fields.text('text'),
      to: fields.text('to') === 'store_credit' ? ('store_credit' as const) : ('original' as const),
      ...(fields.isOn('choose') ? { units: fields.texts('units').join(',') } : {}),
      ...(fields.file('image') ? { image: fields.file('image') as never } : {}),
    }),
    done: (_, fields) => orderAddress(fields.text('order')),
  }),
  review: pageForm({
    call: 'review/create',
    body: (fields) => ({
      order: fields.text('order'),
      product: fields.text('product'),
      rating: wholeNumber(fields.text('rating')),
      text: fields.text('text'),
    }),
    done: () => null,
  }),
} as const satisfies PageForms
