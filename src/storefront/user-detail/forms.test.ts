import { expect, test } from 'vitest'
import { fieldsOf } from '../forms/form.ts'
import { dialled, forms } from './forms.ts'

function fields(values: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, value)
  return fieldsOf(form)
}

test.each([
  ['0812 3456 7890', '+62 0812 3456 7890'],
  ['+49 151 23456789', '+49 151 23456789'],
  ['004915123456789', '004915123456789'],
  ['＋819012345678', '＋819012345678'],
  ['  ', ''],
])('"%s" is sent on as "%s"', (account, expected) => {
  expect(dialled(fields({ dial: '+62', account }))).toBe(expected)
})

test('a form sends a proof only where it asked for one', () => {
  expect(forms.cancel.body(fields({}))).toEqual({})
  expect(forms.cancel.body(fields({ password: 'Kelapa7Muda' }))).toEqual({
    password: 'Kelapa7Muda',
  })
  expect(forms.removePasskey.body(fields({ id: 'x', proof_code: '204815', password: '' }))).toEqual(
    { remove: 'x', proof_code: '204815' },
  )
})

test('a new address has no id, a known one keeps it', () => {
  const address = {
    country: 'JP',
    region: '',
    first_name: 'A',
    surname: 'B',
    address: 'C',
    postal_code: '',
  }
  expect(forms.saveAddress.body(fields({ ...address, id: '' }))).toEqual({
    ...address,
    is_default: false,
  })
  expect(forms.saveAddress.body(fields({ ...address, id: 'a1', is_default: '1' }))).toEqual({
    ...address,
    id: 'a1',
    is_default: true,
  })
})
