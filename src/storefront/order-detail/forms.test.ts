import { expect, test } from 'vitest'
import { fieldsOf } from '../forms/form.ts'
import { forms } from './forms.ts'

function sent(lines: string) {
  const form = new FormData()
  form.append('lines', lines)
  return forms.buyAgain.body(fieldsOf(form))
}

test('what is bought again is what the page says', () => {
  expect(sent('[{"item":"card:steam:us:20","quantity":2}]')).toEqual({
    lines: [{ item: 'card:steam:us:20', quantity: 2 }],
  })
})

test('lines that somebody has broken are left for the call to refuse', () => {
  expect(sent('{')).toEqual({ lines: '{' })
  expect(sent('')).toEqual({ lines: '' })
})
