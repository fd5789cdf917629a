import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  register: pageForm({
    call: 'user/register',
    body: (fields) => ({
      type: 'link',
      key: fields.text('key'),
      username: fields.text('username'),
      password: fields.text('password'),
    }),
    done: () => '/',
    secret: ['password'],
  }),
} as const satisfies PageForms
