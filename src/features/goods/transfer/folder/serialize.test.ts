import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serialize } from './serialize.ts'

test('what fits on a line stands on one, the rest is broken up, keys without a value are left out', () => {
  const long = 'x'.repeat(140)
  expect(serialize({ a: [1, 2], b: undefined, c: {} })).toBe('{ "a": [1, 2], "c": {} }\n')
  expect(serialize({ a: [1], b: { c: long } })).toBe(
    `{\n  "a": [1],\n  "b": { "c": "${long}" }\n}\n`,
  )
})

test('every JSON value reads back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(serialize(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
