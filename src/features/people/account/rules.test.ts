import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountNameOf, emailOf, isUserName, nicknameOf } from './rules.ts'

test('an address is kept in lower case, without spaces, its domain in ASCII', () => {
  expect(emailOf(' Anna.Berg+shop@Example.COM ')).toBe('anna.berg+shop@example.com')
  expect(emailOf('a@bücher.example')).toBe('a@xn--bcher-kva.example')
})

test('what no mail could be sent to is no address', () => {
  const bad = [
    '',
    '@',
    'a@b',
    'a@',
    '@b.example',
    'a b@c.example',
    'a@b.example\r\nbcc: x@y.example',
    'a..b@c.example',
    '.a@c.example',
    'a.@c.example',
    'a@-b.example',
    'a@b.1',
    '"a"@b.example',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(250)}.example`,
    'a\u0000@b.example',
    '<a@b.example>',
    '=?utf-8?q?x?=@b.example',
  ]
  for (const text of bad) expect([text, emailOf(text)]).toEqual([text, null])
})

test('whatever is taken as an address fits the column and is taken again unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.string({ unit: 'binary' }),
        fc.tuple(fc.string(), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
      ),
      (text) => {
        const email = emailOf(text)
        if (email === null) return
        expect(email).toMatch(/^[\x21-\x7e]{3,254}$/)
        expect(email).toBe(email.toLowerCase())
        expect(emailOf(email)).toBe(email)
      },
    ),
  )
})

test('a user name is 6 to 32 letters and digits', () => {
  for (const text of ['abcdef', 'ABC123', 'a'.repeat(32)]) expect(isUserName(text)).toBe(true)
  for (const text of [
    'abcde',
    'a'.repeat(33),
    'abc def',
    'abc-def',
    'äbcdef',
    'abcdef\n',
    'аbcdef',
    '１２３４５６',
  ])
    expect(isUserName(text)).toBe(false)
})

test('a nickname hides nothing and turns no text around', () => {
  expect(nicknameOf('  Ana \t Maria ')).toBe('Ana Maria')
  expect(nicknameOf('abc\u202edef\u200b\u0000')).toBe('abcdef')
  expect(nicknameOf('e\u0301')).toBe('é')
  for (const text of ['', ' ', '\u200b', '\u0000', '\u3164 \u115f', '\u2800', 'x'.repeat(41)])
    expect(nicknameOf(text)).toBeNull()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const name = nicknameOf(text)
      if (name !== null)
        expect([
          name.length <= 40,
          /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(name),
          nicknameOf(name),
        ]).toEqual([true, false, name])
    }),
  )
})

test('a nickname keeps the joiners that its script is spelt with, and emoji that are made of several', () => {
  for (const name of [
    'می\u200cخواهم',
    'ශ්\u200dරී ලංකා',
    'ക്ഷ\u0d4d\u200d',
    'क्\u200dषमा',
    '👩\u200d💻 Ana',
    '👩🏽\u200d🚀',
    '🏳️\u200d🌈',
  ])
    expect(nicknameOf(name)).toBe(name.normalize('NFC'))
})

test('elsewhere a joiner hides and is left out', () => {
  expect(nicknameOf('ad\u200dmin')).toBe('admin')
  expect(nicknameOf('\u200cان\u200d')).toBe('ان')
  expect(nicknameOf('ا\u200c\u200cب')).toBe('اب')
  expect(nicknameOf('👩\u200d')).toBe('👩')
  expect(nicknameOf('\u094d\u200db')).toBe('\u094db')
  expect(nicknameOf('\u094d\u200d\u200cb')).toBe('\u094db')
  expect(nicknameOf('ا\u200e\u200cب')).toBe('ا\u200cب')
  for (const text of ['\u200d', '\u200c\u200d', ' \u200c ']) expect(nicknameOf(text)).toBeNull()
  const letters = fc.constantFrom('\u200c', '\u200d', 'ا', 'b', 'क', '्', '👩', '🏽', '\ufe0f', ' ')
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 30 }), (drawn) => {
      const name = nicknameOf(drawn.join(''))
      if (name === null) return
      expect(nicknameOf(name)).toBe(name)
      expect(name).not.toMatch(/[\u200c\u200d]{2}|^[\u200c\u200d]|b[\u200c\u200d]|[\u200c\u200d]b/u)
    }),
  )
})

test('an account is meant by its address or its user name in any case of letters', () => {
  expect(accountNameOf(' Anna@Shop.Example')).toEqual({ kind: 'email', text: 'anna@shop.example' })
  expect(accountNameOf('AnnaBerg')).toEqual({ kind: 'user_name', text: 'annaberg' })
  expect(accountNameOf('nobody\u0000@x')).toEqual({ kind: 'email', text: 'nobody@x' })
})
