import type { Fields } from './form.ts'

/**
 * What the fields of a sign-in form ask for: name and password, with the ticket of an identity to be linked if there is one;
 * or, for who was asked for it, the code of the second step with that step's ticket.
 */
export function signInBody(fields: Fields) {
  const step = fields.text('step')
  const ticket = fields.text('ticket')
  if (step !== '')
    return { ticket: step, code: fields.text('code'), ...(ticket === '' ? {} : { link: ticket }) }
  return {
    account: fields.text('account'),
    password: fields.text('password'),
    stay: fields.isOn('stay'),
    ...(ticket === '' ? {} : { ticket }),
  }
}
