import { pageForm, type PageForms } from '../forms/form.ts'
import { PROOF_FORMS, proofOf } from '../forms/proof-forms.ts'

const SECRETS = ['password', 'proof_code']

/** Forms of every page that shows keys. What a key says is in the answer of `revealKey` alone. */
export const KEY_FORMS = {
  ...PROOF_FORMS,
  revealKey: pageForm({
    call: 'cardpwd/reveal',
    body: (fields) => ({ id: fields.text('id'), ...proofOf(fields) }),
    done: () => null,
    secret: SECRETS,
  }),
  markKey: pageForm({
    call: 'cardpwd/used',
    body: (fields) => ({ id: fields.text('id'), used: fields.text('used') === '1' }),
    done: () => null,
  }),
  reportKey: pageForm({
    call: 'cardpwd/report',
    body: (fields) => ({ id: fields.text('id'), text: fields.text('text') }),
    done: () => null,
  }),
  proveForKeys: pageForm({ call: 'user/prove', body: proofOf, done: () => null, secret: SECRETS }),
} as const satisfies PageForms
