import { expect, test } from 'vitest'
import { UselessFile } from '../rules.ts'
import { tableLines, tableText, withoutApostrophe } from './table-text.ts'

const lines = (text: string) => [...tableLines(text)]
const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

test.each([
  ['UTF-8', Buffer.from('code,price\n')],
  ['UTF-8 with a mark', Buffer.from('\uFEFFcode,price\n')],
  ['UTF-16', utf16('\uFEFFcode,price\n', false)],
  ['UTF-16, the other way round', utf16('\uFEFFcode,price\n', true)],
  ['UTF-16 without a mark', utf16('code,price\n', false)],
])('a table in %s is read', (_name, bytes) => {
  expect(tableText(bytes)).toBe('code,price\n')
})

test.each([
  ['a workbook', Buffer.from('PK\u0003\u0004...')],
  ['another encoding', Buffer.from([0x63, 0x6f, 0xe9, 0x3b, 0x0a])],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0x00])],
])('%s is no table', (_name, bytes) => {
  expect(() => tableText(bytes)).toThrow(UselessFile)
})

test.each([
  ['code,name\na,"1, ""x"""\n', ['a', '1, "x"']],
  ['code;name\r\na;1,5\r\n', ['a', '1,5']],
  ['code\tname\na\t"two\nlines"', ['a', 'two\nlines']],
  ['sep=|\ncode|name\na|b', ['a', 'b']],
  ['"code";"na,me"\n"a";"b"', ['a', 'b']],
])('cells of %j', (text, cells) => {
  expect(lines(text).at(-1)?.cells).toEqual(cells)
})

test('lines are numbered as spreadsheets do, and empty ones are left out', () => {
  expect(lines('code;x;y\r\n\r\n;;\na\n').map(({ line }) => line)).toEqual([1, 4])
})

test('a quote that never ends takes the rest and no more time than that', () => {
  expect(lines(`code\n"${'a'.repeat(50_000)}`).at(-1)?.cells[0]).toHaveLength(4_000)
})

test('what the shop has put before a formula is taken away again', () => {
  expect(["'=1+1", "''x", "'tis", '=1'].map(withoutApostrophe)).toEqual([
    '=1+1',
    "'x",
    "'tis",
    '=1',
  ])
})

test.each([
  ['only quotes', '"'.repeat(3_000_000)],
  ['only separators', ','.repeat(3_000_000)],
  ['only line breaks', '\n'.repeat(3_000_000)],
  ['one word', 'a'.repeat(3_000_000)],
])('what would be looked through for minutes is no table: %s', (_, text) => {
  expect(() => lines(`code;price\n${text}`)).toThrow(UselessFile)
})
