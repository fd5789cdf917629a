import { pageForm, type PageForms } from '../forms/form.ts'
import { PROOF_FORMS, proofOf } from '../forms/proof-forms.ts'

export const forms = {
  ...PROOF_FORMS,
  prove: pageForm({
    call: 'user/prove',
    body: proofOf,
    done: () => '/change-email/change',
    secret: ['password', 'proof_code'],
  }),
  /** To the new address. */
  sendCode: pageForm({
    call: 'user/send_code',
    body: (fields) => ({ type: 'email', account: fields.text('account') }),
    done: () => null,
  }),
  change: pageForm({
    call: 'user/email',
    body: (fields) => ({
      email: fields.text('email'),
      code: fields.text('code'),
      ...proofOf(fields),
    }),
    done: () => '/change-email/success',
    secret: ['code', 'password', 'proof_code'],
  }),
} as const satisfies PageForms
