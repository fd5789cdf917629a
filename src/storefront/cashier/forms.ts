import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  pay: pageForm({
    call: 'pay/start',
    body: (fields) => ({
      order: fields.text('order'),
      method: fields.text('method'),
      agree: fields.isOn('agree'),
    }),
    done: (data) => data.redirect_url,
  }),
} as const satisfies PageForms
