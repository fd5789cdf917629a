import { ANSWER_PARAMETERS } from '#features/people/identity/rules.ts'
import { ownPath } from '#kernel/own-path.ts'
import { pageForm, type PageForms } from '../forms/form.ts'
import { signInBody } from '../forms/sign-in-body.ts'

export const forms = {
  /** Hands the service's answer to the shop. */
  finish: pageForm({
    call: 'user/callback',
    body: (fields) => ({
      platform: fields.text('platform'),
      ...Object.fromEntries(
        ANSWER_PARAMETERS.map((name) => [name, fields.text(name)] as const).filter(
          ([, value]) => value !== '',
        ),
      ),
    }),
    done: (data) => ownPath(data.redirect) ?? '/',
    secret: [...ANSWER_PARAMETERS],
  }),
  /** For an account that asks for a second step. */
  verify: pageForm({
    call: 'user/login',
    body: signInBody,
    done: () => '/',
    secret: ['code'],
  }),
} as const satisfies PageForms
