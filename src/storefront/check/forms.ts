import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  check: pageForm({
    call: 'order/check',
    body: (fields) => ({ order_no: fields.text('order_no'), email: fields.text('email') }),
    done: () => null,
  }),
} as const satisfies PageForms
