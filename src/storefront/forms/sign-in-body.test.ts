import { describe, expect, it } from 'vitest'
import { fieldsOf } from './form.ts'
import { signInBody } from './sign-in-body.ts'

function bodyOf(typed: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(typed)) form.append(name, value)
  return signInBody(fieldsOf(form))
}

describe('signInBody', () => {
  it('asks with name and password first', () => {
    expect(bodyOf({ account: 'rizky99', password: 'Kelapa7Muda', stay: '1' })).toEqual({
      account: 'rizky99',
      password: 'Kelapa7Muda',
      stay: true,
    })
    expect(bodyOf({ account: 'rizky99', password: 'Kelapa7Muda' })).toMatchObject({ stay: false })
  })

  it('takes the ticket of an identity along that is to be linked', () => {
    expect(bodyOf({ account: 'rizky99', password: 'Kelapa7Muda', ticket: 'abc' })).toMatchObject({
      ticket: 'abc',
    })
  })

  it('sends the code alone with the ticket of the second step', () => {
    expect(bodyOf({ step: 'def', ticket: 'abc', code: '482013' })).toMatchObject({
      ticket: 'def',
      code: '482013',
    })
  })
})
