import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf, plainExport } from './rules.ts'

const AT = new Date('2026-11-21T10:00:00Z')

test('the table holds every field, safe for spreadsheets', () => {
  const everything = plainExport(AT, {
    account: [
      {
        nickname: '=HYPERLINK("http://evil.example")',
        mobile: '+6281234567890',
        points: -3,
        city: 'Köln, "am" Rhein',
        note: 'two\r\nlines',
        none: null,
      },
    ],
    favourites: [],
    notices: [
      { kind: 'welcome', params: { a: 1 }, at: AT },
      { kind: '@mention', tab: '\tx', is_read: false },
    ],
  })
  expect(csvOf(everything)).toBe(
    [
      '\uFEFFsection,number,field,value',
      'export,1,exported_at,2026-11-21T10:00:00.000Z',
      'account,1,nickname,"\'=HYPERLINK(""http://evil.example"")"',
      "account,1,mobile,'+6281234567890",
      'account,1,points,-3',
      'account,1,city,"Köln, ""am"" Rhein"',
      'account,1,note,"two\r\nlines"',
      'account,1,none,',
      'notices,1,kind,welcome',
      'notices,1,params,"{""a"":1}"',
      'notices,1,at,2026-11-21T10:00:00.000Z',
      "notices,2,kind,'@mention",
      "notices,2,tab,'\tx",
      'notices,2,is_read,false',
      '',
    ].join('\r\n'),
  )
})

/** Reads what RFC 4180 describes. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  while (field.lastIndex < text.length) {
    const [, quoted, plain = '', end] = field.exec(text) ?? []
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

test('whatever a person wrote is one value of the table, never a formula and never lost', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(...'=+-@\t\r\n",\'＝'),
            fc.string({ minLength: 1, maxLength: 1 }),
          ),
        }),
      ),
      (texts) => {
        const rows = readCsv(
          csvOf(plainExport(AT, { notes: texts.map((text) => ({ text })) })),
        ).slice(2)
        expect(rows.map((row) => row.slice(0, 3))).toEqual(
          texts.map((_, index) => ['notes', String(index + 1), 'text']),
        )
        for (const [index, row] of rows.entries()) {
          const value = row[3] ?? ''
          expect(value.replace(/^'(?=['=+\-@\t\r\n＝＋－＠])/, '')).toBe(texts[index])
          expect(/^[=+\-@\t\r\n＝＋－＠]/.test(value)).toBe(false)
        }
      },
    ),
  )
})
