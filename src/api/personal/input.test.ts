import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '#kernel/error.ts'
import { readInput, readQuery } from './input.ts'

const shape = z.strictObject({
  name: z.string().optional(),
  lines: z.array(z.strictObject({ note: z.string() })).optional(),
  fields: z.record(z.string(), z.string()).optional(),
})

test.each([
  ['a zero character', { name: 'a\0b' }, 'name'],
  ['half of a surrogate pair', { name: '\ud800' }, 'name'],
  ['one deep inside', { lines: [{ note: 'fine' }, { note: '\udfff' }] }, 'lines.1.note'],
  ['one in the name of a field', { fields: { 'a\0': 'x' } }, 'fields'],
  ['one at the very top', '\0', 'body'],
])('text that no database holds is refused at its place: %s', (_, input, field) => {
  expect(refused(input)).toEqual([{ field, reason: 'not_allowed' }])
})

test('whole characters of every plane are taken as they are', () => {
  expect(readInput(shape, { name: 'Đỗ 😀 \u{20bb7}' })).toEqual({ name: 'Đỗ 😀 \u{20bb7}' })
})

test('bytes are no text, whatever they look like', () => {
  const files = z.strictObject({ image: z.instanceof(Uint8Array) })
  const image = new Uint8Array(5 * 1024 * 1024)
  const before = process.cpuUsage()
  expect(readInput(files, { image }).image).toBe(image)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(50)
})

test('in a query such text counts as not given', () => {
  expect(readQuery(new URLSearchParams('page=2&code=%00&x%00=1'))).toEqual({ page: '2' })
})

function refused(input: unknown): unknown {
  try {
    return readInput(shape, input)
  } catch (error) {
    return (error as AppError).fields
  }
}
