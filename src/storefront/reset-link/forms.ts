import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  reset: pageForm({
    call: 'user/reset',
    body: (fields) => ({ key: fields.text('key'), password: fields.text('password') }),
    done: () => null,
    secret: ['password', 'key'],
    // Every session of the account ends, and this browser may hold one.
  }),
} as const satisfies PageForms
