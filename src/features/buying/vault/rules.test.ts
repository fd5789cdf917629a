import { expect, test } from 'vitest'
import { cellsOf, linesOf, separatorOf } from './engine/lines.ts'
import {
  ANY_CODE,
  columnsOf,
  identityOf,
  lastCharacters,
  readKeyLine,
  type KeyFormat,
} from './rules.ts'

const code: KeyFormat = { parts: [{ name: 'code', pattern: '^[A-Z0-9]{5}-[A-Z0-9]{5}$' }] }
const numberAndPin: KeyFormat = {
  parts: [
    { name: 'number', pattern: '^\\d{16}$' },
    { name: 'pin', pattern: '^\\d{4}$' },
  ],
}
const mixedCase: KeyFormat = { parts: [{ name: 'code', pattern: '^[A-Za-z0-9]{8}$' }] }

test.each(['ABCDE-12345', 'abcde12345', ' ABCDE 12345 ', 'ＡＢＣＤＥ－１２３４５', 'ABCDE–12345'])(
  '%j is the same key as ABCDE-12345',
  (spelling) => {
    expect(identityOf('steam', code, { code: spelling })).toBe(
      identityOf('steam', code, { code: 'ABCDE-12345' }),
    )
  },
)

test('the same code of another brand is another key', () => {
  expect(identityOf('steam', code, { code: 'ABCDE-12345' })).not.toBe(
    identityOf('xbox', code, { code: 'ABCDE-12345' }),
  )
})

test('small letters count where the brand uses them', () => {
  expect(identityOf('brand', mixedCase, { code: 'aXk7P3qM' })).not.toBe(
    identityOf('brand', mixedCase, { code: 'AXK7P3QM' }),
  )
})

test('a card number is one card, whatever its PIN', () => {
  expect(identityOf('brand', numberAndPin, { number: '4918273650184729', pin: '1111' })).toBe(
    identityOf('brand', numberAndPin, { number: '4918 2736 5018 4729', pin: '2222' }),
  )
})

test('what is shown of a key is at most a third of it, and never its PIN', () => {
  expect(lastCharacters(code, { code: 'ABCDE-12345' })).toBe('345')
  expect(lastCharacters(numberAndPin, { number: '4918273650184729', pin: '7038' })).toBe('4729')
  expect(
    lastCharacters(
      { parts: [{ name: 'url', pattern: '^https:' }] },
      { url: 'https://gift.example/abc' },
    ),
  ).not.toContain('abc')
  expect(lastCharacters(ANY_CODE, { code: 'XYZ' })).toBe('Z')
})

test('columns come from the first line where it names them, else from the brand', () => {
  expect(columnsOf(['PIN', 'Number', 'Expires on'], numberAndPin)).toEqual({
    columns: ['pin', 'number', 'expires_on'],
    isHeader: true,
  })
  expect(columnsOf(['4918273650184729', '7038'], numberAndPin)).toEqual({
    columns: ['number', 'pin', 'expires_on'],
    isHeader: false,
  })
})

test('a line is read with its day, or without', () => {
  const columns = ['number', 'pin', 'expires_on']
  expect(
    readKeyLine(['4918273650184729', '7038', '2027-02-28'], columns, numberAndPin, '2026-11-21'),
  ).toEqual({
    key: { parts: { number: '4918273650184729', pin: '7038' }, expiresOn: '2027-02-28' },
  })
  expect(
    readKeyLine(['4918273650184729', '7038'], columns, numberAndPin, '2026-11-21'),
  ).toMatchObject({ key: { expiresOn: null } })
})

test.each([
  [['4918273650184729'], 'columns'],
  [['1', '7038'], 'part'],
  [['4918273650184729', '7038', '2027-02-30'], 'date'],
  [['4918273650184729', '7038', '2026-11-21'], 'expired'],
])('%j is refused: %s', (cells, fault) => {
  const read = readKeyLine(cells, ['number', 'pin', 'expires_on'], numberAndPin, '2026-11-21')
  expect(read).toMatchObject({ fault })
  expect(JSON.stringify(read)).not.toContain('4918')
})

test('cells may be quoted and hold the separator', () => {
  expect(cellsOf('a,"b,""c""", d', ',')).toEqual(['a', 'b,"c"', ' d'])
  expect(separatorOf('a;b,c')).toBe(';')
})

test('lines are found however the stream is cut', async () => {
  async function* chunks() {
    for (const chunk of ['\uFEFFone\r', '\ntw', 'o\n\nthr', 'ee\r']) yield chunk
  }
  const lines: string[] = []
  for await (const line of linesOf(chunks())) lines.push(line)
  expect(lines).toEqual(['one', 'two', '', 'three'])
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const picture = { parts: [{ name: 'image', pattern: '^.+$' }] }
const readPicture = (text: string) => readKeyLine([text], ['image'], picture, '2026-11-22')

test('a picture is what its bytes are, whatever it calls itself', () => {
  expect(readPicture(PIXEL)).toEqual({
    key: { parts: { image: `data:image/png;base64,${PIXEL}` }, expiresOn: null },
  })
  expect(readPicture(`data:image/svg+xml;base64,${PIXEL}`)).toEqual({
    key: { parts: { image: `data:image/png;base64,${PIXEL}` }, expiresOn: null },
  })
  for (const text of ['', 'no base64', btoa('<svg onload="x()"/>'), btoa('GIF89a')])
    expect(readPicture(text)).toEqual({ fault: 'part', part: 'image' })
  expect(readPicture(Buffer.alloc(1_048_577).toString('base64'))).toEqual({
    fault: 'too_long',
    part: 'image',
  })
})

test('an address is one of the web', () => {
  const read = (text: string) =>
    readKeyLine([text], ['url'], { parts: [{ name: 'url', pattern: '^.+$' }] }, '2026-11-22')
  expect(read('https://gift.example/c/AB12')).toMatchObject({
    key: { parts: { url: 'https://gift.example/c/AB12' } },
  })
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'gift.example', 'https://'])
    expect(read(text)).toEqual({ fault: 'part', part: 'url' })
})
