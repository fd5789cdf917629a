import { describe, expect, test } from 'vitest'
import { bankAmount } from './engine/amount.ts'
import { readStatement } from './engine/read.ts'
import { matchEffect, numbersIn, suggestionsFor } from './rules.ts'

const DIGITS = new Map([
  ['EUR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
])
const digitsOf = (currency: string) => DIGITS.get(currency)
const read = (text: string | Uint8Array) =>
  readStatement(typeof text === 'string' ? new TextEncoder().encode(text) : text, digitsOf)

const entry = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>${body}</Stmt></BkToCstmrStmt></Document>`
const credit = (amount: string, details = '', extra = '') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>R1</AcctSvcrRef>${extra}<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls></Ntry>`

describe('camt.053', () => {
  test('a credit is read with its payer, what they wrote, and the bank’s name of it', () => {
    const details =
      '<RltdPties><Dbtr><Pty><Nm>KELLER\n JONAS</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>LK 1184 0295</Ustrd><Ustrd>7731 8 &amp; danke</Ustrd></RmtInf>'
    expect(read(entry(credit('46.30', details)))).toEqual({
      format: 'camt053',
      skipped: 0,
      faults: [],
      lines: [
        {
          line: 1,
          bookedOn: '2026-11-20',
          money: { minor: 4_630n, currency: 'EUR' },
          payer: 'KELLER JONAS',
          text: 'LK 1184 0295 7731 8 & danke',
          reference: 'R1',
          account: 'DE02120300000000202051',
        },
      ],
    })
  })

  test('money that went out, is not booked, or came back is left out', () => {
    const all = [
      credit('1.00').replace('CRDT', 'DBIT'),
      credit('2.00').replace('BOOK', 'PDNG'),
      credit('3.00', '', '<RvslInd>true</RvslInd>'),
    ]
    expect(read(entry(all.join('')))).toMatchObject({ lines: [], skipped: 3 })
  })

  test('a batch that says what each payment was is as many lines', () => {
    const each = (amount: string, reference: string) =>
      `<Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><Amt Ccy="EUR">${amount}</Amt>`
    const batch = credit('3.00', `${each('1.00', 'A')}</TxDtls><TxDtls>${each('2.00', 'B')}`)
    expect(read(entry(batch)).lines).toMatchObject([
      { money: { minor: 100n }, reference: 'A' },
      { money: { minor: 200n }, reference: 'B' },
    ])
  })

  test('a batch is split only into what it holds: not where one part went out, or the parts are not the whole', () => {
    const each = (amount: string, more = '') => `<Amt Ccy="EUR">${amount}</Amt>${more}`
    const of = (whole: string, ...parts: string[]) =>
      read(entry(credit(whole, parts.join('</TxDtls><TxDtls>')))).lines.map(({ money }) => money)
    const whole = [{ minor: 300n, currency: 'EUR' }]
    expect(of('3.00', each('4.00'), each('1.00', '<CdtDbtInd>DBIT</CdtDbtInd>'))).toEqual(whole)
    expect(of('3.00', each('2.00'), each('1.00', '<CdtDbtInd>DBIT</CdtDbtInd>'))).toEqual(whole)
    expect(of('3.00', each('1.00'), each('1.50'))).toEqual(whole)
    expect(of('3.00', each('2.00'), each('2.00'))).toEqual(whole)
    expect(of('3.00', each('1.00'), each('2.00', '<CdtDbtInd>CRDT</CdtDbtInd>'))).toHaveLength(2)
  })

  test('a currency, a day and an amount that nobody knows are told by line', () => {
    const faulty = [
      credit('1.00').replaceAll('EUR', 'XXX'),
      credit('1.00').replace('2026-11-20', '2026-13-20'),
      credit('1.001'),
      credit('1,00'),
    ]
    expect(read(entry(faulty.join('\n'))).faults).toEqual([
      { line: 1, fault: 'currency' },
      { line: 2, fault: 'date' },
      { line: 3, fault: 'amount' },
      { line: 4, fault: 'amount' },
    ])
    expect(read(entry(credit('1.000'))).lines).toMatchObject([{ money: { minor: 100n } }])
  })

  test('a document type, another message and a broken file are refused, and no entity is expanded', () => {
    const bomb = entry(credit('1.00')).replace(
      '?><Document',
      '?><!DOCTYPE Document [<!ENTITY a "aaaa">]><Document',
    )
    expect(() => read(bomb)).toThrow('not_a_statement')
    expect(() => read(entry(credit('1.00')).replaceAll('camt.053', 'camt.052'))).toThrow(
      'not_a_statement',
    )
    expect(() => read('<html><body>hello</body></html>')).toThrow('not_a_statement')
    expect(() => read(entry(credit('&a;')))).toThrow('broken')
    expect(() => read(entry(credit('1.00')).slice(0, -30))).toThrow('broken')
  })
})

describe('tables', () => {
  const head = 'Buchungstag;Betrag;Währung;Auftraggeber;Verwendungszweck'

  test('columns are found by their names in any order, and amounts as the bank writes them', () => {
    const text = `${head}\r\n20.11.2026;1.234,50;EUR;"Keller; Jonas";"LK ""1184"""\r\n21.11.2026;-5,00;EUR;;Miete\r\n`
    expect(read(text)).toMatchObject({
      format: 'csv',
      skipped: 1,
      lines: [
        {
          line: 2,
          bookedOn: '2026-11-20',
          money: { minor: 123_450n, currency: 'EUR' },
          payer: 'Keller; Jonas',
          text: 'LK "1184"',
        },
      ],
    })
  })

  test.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
    ['utf8', [0xef, 0xbb, 0xbf]],
  ] as const)('%s is read by its mark', (encoding, mark) => {
    const text = `${head}\n2026-11-20;5,00;EUR;Schröder;München\n`
    const plain = Buffer.from(text, encoding === 'utf8' ? 'utf8' : 'utf16le')
    const bytes = Buffer.concat([
      Buffer.from(mark),
      encoding === 'utf-16be' ? plain.swap16() : plain,
    ])
    expect(read(bytes).lines).toMatchObject([{ payer: 'Schröder', text: 'München' }])
  })

  test('without a mark what is no UTF-8 is read as banks write it', () => {
    const bytes = Buffer.from(`${head}\n2026-11-20;5,00;EUR;Schröder;M\n`, 'latin1')
    expect(read(bytes).lines).toMatchObject([{ payer: 'Schröder' }])
  })

  test('files of other kinds are refused', () => {
    expect(() => read(Buffer.from('PK\u0003\u0004\u0000\u0000', 'latin1'))).toThrow('not_text')
    expect(() => read('%PDF-1.7\n')).toThrow('not_text')
    expect(() => read(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a]))).toThrow('not_text')
    expect(() => read('')).toThrow('empty')
    expect(() => read('once upon a time\nthere was a shop\n')).toThrow('not_a_statement')
    expect(() => read('date,amount\n2026-11-20,5\n')).toThrow('columns_missing')
    expect(() => read(`${head}\n20.11.2026;"5,00`)).toThrow('broken')
  })

  test('a day that can be read two ways is no day', () => {
    expect(read('date,amount,currency\n11/12/2026,5,EUR\n').faults).toEqual([
      { line: 2, fault: 'date' },
    ])
  })
})

test.each([
  ['1234.5', 2, 123_450n],
  ['1.234,50', 2, 123_450n],
  ['1,234.50', 2, 123_450n],
  ['1 234,50', 2, 123_450n],
  ["1'234.50", 2, 123_450n],
  ['1.234', 2, 123_400n],
  ['1.234', 3, 1_234n],
  ['1.234.567', 0, 1_234_567n],
  ['12,00-', 2, -1_200n],
  ['+0,01', 2, 1n],
  ['1.23.4', 2, null],
  ['12,345', 2, 1_234_500n],
  ['12,3456', 2, null],
  ['=1+1', 2, null],
  ['', 2, null],
])('the amount %s with %i decimals', (text, digits, minor) => {
  expect(bankAmount(text, digits)).toBe(minor)
})

describe('suggestions', () => {
  const order = '1184029577318'
  const candidate = {
    orderNumber: order,
    asked: { minor: 4_630n, currency: 'EUR' },
    isOpen: true,
    receivedMinor: 0n,
    notedByHand: [],
  }
  const line = (text: string, minor = 4_630n) => ({ text, money: { minor, currency: 'EUR' } })

  test('an order is found by its number however it is written, and by one slip in it', () => {
    expect(numbersIn('LK 1184 0295 7731 8 danke')).toContain(order)
    expect(numbersIn(`RF18${order}/2026`)).toContain(order)
    expect(suggestionsFor(line('LK 1184-0295-7731-8'), [candidate])).toMatchObject([
      { score: 100, reasons: ['number', 'amount'] },
    ])
    expect(suggestionsFor(line('LK 1184 0295 7713 8'), [candidate])).toMatchObject([
      { score: 80, reasons: ['near_number', 'amount'] },
    ])
    expect(suggestionsFor(line('thanks'), [candidate])).toMatchObject([{ score: 40 }])
    expect(suggestionsFor(line('thanks', 1n), [candidate])).toEqual([])
  })

  test('what matching would do is told before', () => {
    const money = (minor: bigint, currency = 'EUR') => ({ minor, currency })
    expect(matchEffect(money(4_630n), candidate).effect).toBe('pays')
    expect(matchEffect(money(4_000n), candidate).effect).toBe('pays_in_part')
    expect(matchEffect(money(5_000n), candidate)).toEqual({ effect: 'too_much', overMinor: 370n })
    const paid = { ...candidate, isOpen: false, receivedMinor: 4_630n }
    expect(matchEffect(money(4_630n), paid)).toEqual({ effect: 'too_much', overMinor: 4_630n })
    expect(matchEffect(money(4_630n, 'USD'), candidate).effect).toBe('other_currency')
    expect(matchEffect(money(4_630n), { ...candidate, isOpen: false }).effect).toBe('too_late')
  })
})
