import { comeBack } from '../forms/come-back.ts'
import { pageForm, type PageForms } from '../forms/form.ts'
import { signInBody } from '../forms/sign-in-body.ts'

export const forms = {
  signIn: pageForm({
    call: 'user/login',
    body: signInBody,
    done: (_, __, query) => comeBack(query),
    secret: ['password', 'code'],
  }),
  /** Off to another service, which brings the person back to /loading. */
  authorize: pageForm({
    call: 'user/authorize',
    body: (fields) => ({ platform: fields.text('platform'), redirect: fields.text('redirect') }),
    done: (data) => data.redirect_url,
  }),
} as const satisfies PageForms
