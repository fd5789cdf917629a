import { expect, test } from 'vitest'
import { leastCpuMs } from '../../../../test/support/cpu.ts'
import { readJson } from './json.ts'

test.each([
  ['0', '0'],
  ['-0.10', '-0.10'],
  ['1E+2', '1E+2'],
  ['[1, 2.50 ,-3e-7]', ['1', '2.50', '-3e-7']],
  ['{"id":123456789012345678901}', { id: '123456789012345678901' }],
  [
    '{"a 1":"2","b":[{"c":3}],"d":true,"e":null}',
    { 'a 1': '2', b: [{ c: '3' }], d: true, e: null },
  ],
  [String.raw`{"a\"1":"\\","b":1,"c":"5\\\"6"}`, { 'a"1': '\\', b: '1', c: '5\\"6' }],
  ['""', ''],
])('%s is read, its numbers as they came', (text, expected) => {
  expect(readJson(text)).toEqual(expected)
})

test.each([
  '',
  '-',
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  '1 2',
  '1a',
  '1"a"',
  '"a"1',
  '[1 2]',
  '[1,]',
  '{1:2}',
  '{1 \n:2}',
  '{"a":1',
  '{"a":"1}',
  '"\\"',
  '\\"1"',
  'NaN',
  '1\n,',
  "{'a':1}",
])('%j is no JSON', (text) => {
  expect(readJson(text)).toBeUndefined()
})

test('a name of JavaScript is a name as any other', () => {
  const told = readJson('{"__proto__":{"a":1}}')
  expect(Object.getPrototypeOf(told)).toBe(Object.prototype)
  expect(JSON.stringify(told)).toBe('{"__proto__":{"a":"1"}}')
})

/** Twice what a notice may be; on a slow machine it takes several times as long as on a fast one. */
const BYTES = 128 * 1024
const filled = (text: string) => text.repeat(Math.floor(BYTES / text.length))

test.each([
  ['numbers', `[${filled('1,')}1]`],
  ['objects', `[${filled('{},')}{}]`],
  ['texts', `[${filled('"",')}""]`],
  ['members', `{${filled('"a":1,')}"a":1}`],
  ['depth', filled('[')],
  ['one number', filled('1')],
  ['quotes that end nothing', `"${filled(String.raw`\"`)}"`],
  ['backslashes', `"${filled('\\\\')}"`],
  ['numbers with spaces behind', `[${filled('1   ,')}1]`],
  ['spaces without end', `1${filled(' ')}`],
])('two notices of %s hold nobody', (_, text) => {
  expect(leastCpuMs(() => readJson(text))).toBeLessThan(50)
})
