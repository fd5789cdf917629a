import { pageForm, type Fields, type PageForms } from './form.ts'

/** The proof in a form whose call asks for a fresh one; nothing where the form asked for none. */
export function proofOf(fields: Fields): {
  readonly password?: string
  readonly proof_code?: string
} {
  const password = fields.text('password')
  const code = fields.text('proof_code')
  return { ...(password === '' ? {} : { password }), ...(code === '' ? {} : { proof_code: code }) }
}

/** Forms of every page that asks for a fresh proof. */
export const PROOF_FORMS = {
  /** Has the code mailed that stands for the password of an account without one. */
  sendProof: pageForm({
    call: 'user/send_code',
    body: () => ({ type: 'proof' }),
    done: () => null,
  }),
} as const satisfies PageForms
