import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  /** Once more, by a method that is chosen. */
  again: pageForm({
    call: 'pay/start',
    body: (fields) => ({ order: fields.text('order'), method: fields.text('method') }),
    done: (data) => data.redirect_url,
  }),
  cancel: pageForm({
    call: 'order/cancel',
    body: (fields) => ({ order: fields.text('order') }),
    done: (data) => `/order/detail?order=${data.order}`,
  }),
} as const satisfies PageForms
