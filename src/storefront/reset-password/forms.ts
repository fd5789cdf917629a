import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  sendCode: pageForm({
    call: 'user/send_code',
    body: (fields) => ({ type: 'reset', account: fields.text('account') }),
    done: () => null,
  }),
  reset: pageForm({
    call: 'user/reset',
    body: (fields) => ({
      account: fields.text('account'),
      code: fields.text('code'),
      password: fields.text('password'),
    }),
    done: () => null,
    secret: ['password'],
    // Every session of the account ends, and this browser may hold one.
  }),
} as const satisfies PageForms
