import { ownPath } from '#kernel/own-path.ts'
import { pageForm, type Fields, type PageForms } from '../forms/form.ts'
import { signInBody } from '../forms/sign-in-body.ts'

export const forms = {
  /** An account that is there already: signing in links the identity. */
  signIn: pageForm({
    call: 'user/login',
    body: signInBody,
    done: goOn,
    secret: ['password', 'code'],
  }),
  sendCode: pageForm({
    call: 'user/send_code',
    body: (fields) => ({ type: 'register', account: fields.text('account') }),
    done: () => null,
  }),
  /** A new account, without a password; address and code only where the service told no verified address. */
  register: pageForm({
    call: 'user/register',
    body: (fields) => ({
      type: 'third',
      ticket: fields.text('ticket'),
      ...given(fields, 'username'),
      ...given(fields, 'email'),
      ...given(fields, 'code'),
    }),
    done: goOn,
  }),
} as const satisfies PageForms

function goOn(_: unknown, fields: Fields): string {
  return ownPath(fields.text('redirect')) ?? '/'
}

function given<const Name extends string>(
  fields: Fields,
  name: Name,
): { readonly [Key in Name]?: string } {
  const text = fields.text(name)
  return text === '' ? {} : ({ [name]: text } as { readonly [Key in Name]?: string })
}
