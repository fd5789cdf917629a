import { comeBack } from '../forms/come-back.ts'
import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  sendCode: pageForm({
    call: 'user/send_code',
    body: (fields) => ({ type: 'register', account: fields.text('account') }),
    done: () => null,
  }),
  register: pageForm({
    call: 'user/register',
    body: (fields) => ({
      type: 'email',
      email: fields.text('email'),
      code: fields.text('code'),
      username: fields.text('username'),
      password: fields.text('password'),
    }),
    done: (_, __, query) => comeBack(query),
    secret: ['password'],
  }),
} as const satisfies PageForms
