import { pageForm, type PageForms } from '../forms/form.ts'

/** Name of the check boxes of lines. */
export const SELECT = 'select'

/** The form of the check boxes, which stand outside of it: the way to payment. */
export const PAY = 'cart-pay'

export const forms = {
  pay: pageForm({
    call: 'order/create',
    body: (fields) => ({ cart: true, select: fields.all(SELECT) }),
    done: ({ order }) => `/order/cashier?order=${order}`,
  }),
  quantity: pageForm({
    call: 'cart/update',
    body: (fields) => ({ id: fields.text('id'), quantity: Number(fields.text('quantity')) }),
    done: () => null,
  }),
  remove: pageForm({
    call: 'cart/remove',
    body: (fields) => ({ id: fields.text('id') }),
    done: () => null,
  }),
  removeSelected: pageForm({
    call: 'cart/remove',
    body: (fields) => ({ ids: fields.all(SELECT) }),
    done: () => null,
  }),
} as const satisfies PageForms
