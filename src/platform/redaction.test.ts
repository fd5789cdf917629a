import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactText } from './redaction.ts'

const SECRET = 'S3CRET-abc_123'

describe('an address in a line', () => {
  test.each([
    'token',
    'code',
    'state',
    'key',
    'ticket',
    'sig',
    'email',
    'keywords',
    'password',
    'Token',
    'KEY',
    'id_token',
    'reset-token',
    'proof_code',
    'account',
    '%74oken',
    'tok%65n',
    '%2574oken',
  ])('keeps the name of the parameter %s and loses its value', (name) => {
    expect(redactText(`/de/cards?${name}=${SECRET}&page=2`)).toBe(`/de/cards?${name}=***&page=2`)
    expect(redactText(`GET /cards?page=2&${name}=${SECRET} HTTP/1.1`)).toBe(
      `GET /cards?page=2&${name}=*** HTTP/1.1`,
    )
    expect(redactText(`/cards#${name}=${SECRET}`)).toBe(`/cards#${name}=***`)
  })

  test.each([
    [
      `/login?redirect=%2Fcards%3Ftoken%3D${SECRET}%26page%3D2&x=1`,
      '/login?redirect=%2Fcards%3Ftoken%3D***%26page%3D2&x=1',
    ],
    [
      `/middle?url=/login?redirect=%2Fa%253Fkey%253D${SECRET}%2526y`,
      '/middle?url=/login?redirect=%2Fa%253Fkey%253D***%2526y',
    ],
    [`/a?b=/c?token=${SECRET}`, '/a?b=/c?token=***'],
    [`/a?token=x;${SECRET}&b=1`, '/a?token=***&b=1'],
    [`/a?b=1;token=${SECRET}`, '/a?b=1;token=***'],
    [`/a?token=${SECRET}&token=${SECRET}`, '/a?token=***&token=***'],
    [`/a?token=&page=2`, '/a?token=***&page=2'],
    [`/a?b%26token%3D${SECRET}`, '/a?b%26token%3D***'],
    [`token=${SECRET}&page=2`, 'token=***&page=2'],
    [`body was email=anna%40mail.example&password=${SECRET}`, 'body was email=***&password=***'],
  ])('%s', (text, safe) => {
    expect(redactText(text)).toBe(safe)
  })

  test.each([
    '/cards?page=2&sort=new',
    'exited with code=1 state=idle key=7',
    'x?codes=1',
    'a = b',
    'zod@4.6.7',
    '/cards?statement=1&monkey=2',
    'ECONNREFUSED 127.0.0.1:5432',
  ])('%s stays as it is', (text) => {
    expect(redactText(text)).toBe(text)
  })
})

describe('errors', () => {
  test('lose secrets in message, stack, cause and own fields', () => {
    const error = new TypeError(`Invalid URL https://x/?code=${SECRET}`, {
      cause: new Error(`{"password":"${SECRET}"}`),
    })
    Object.assign(error, {
      input: `/x?key=${SECRET}`,
      config: {
        headers: { authorization: SECRET },
        url: new URL(`https://x/?sig=${SECRET}`),
        query: new URLSearchParams({ ticket: SECRET }),
      },
    })
    expect(JSON.stringify(redact({ error }))).not.toContain(SECRET)
  })

  test('of PostgreSQL lose the values that broke a constraint', () => {
    const error = Object.assign(
      new Error('duplicate key value violates unique constraint "account_email"'),
      {
        code: '23505',
        detail: 'Key (lower(email), x)=(anna(1)@mail.example, 7) already exists.',
        constraint: 'account_email',
      },
    )
    expect(redact({ error })).toMatchObject({
      error: {
        code: '23505',
        detail: expect.stringMatching(/=\(\*\*\*\) already exists\.$/),
        constraint: 'account_email',
      },
    })
    expect(redactText(`Failing row contains (1, ${SECRET} (x), null).`)).toBe(
      'Failing row contains (***).',
    )
  })

  test('of JSON lose the piece of text that could not be read', () => {
    for (const text of [
      `{"password":"${SECRET}`,
      `{"password":"${SECRET}"x}`,
      `"${SECRET}" ${'y'.repeat(200)}`,
      SECRET,
    ]) {
      let message = ''
      try {
        JSON.parse(text)
      } catch (error) {
        message = redactText(String(error))
      }
      expect(message).not.toBe('')
      expect(message).not.toContain(SECRET.slice(0, 8))
    }
  })
})

test('fields named like secrets or persons are masked, everyday words are not', () => {
  expect(
    redact({
      ticket: 'a',
      handle: 'a',
      email: 'a',
      mobile: 'a',
      recipient: 'a',
      proof_code: 'a',
      code: 'E1',
      key: 'k',
      state: 's',
    }),
  ).toEqual({
    ticket: '***',
    handle: '***',
    email: '***',
    mobile: '***',
    recipient: '***',
    proof_code: '***',
    code: 'E1',
    key: 'k',
    state: 's',
  })
})

test('an e-mail address keeps its domain only', () => {
  expect(redactText('550 <anna.schmidt+shop@mail.example>: no such user')).toBe(
    '550 <***@mail.example>: no such user',
  )
})

test('a value is gone wherever it stands among other parameters', () => {
  const value = fc
    .string({ minLength: 1, maxLength: 12 })
    .map((text) => encodeURIComponent(text.toWellFormed()) + SECRET)
  const pair = fc
    .tuple(fc.constantFrom('token', 'key', 'code', 'Password', 'state', 'reset_token'), value)
    .map(([name, text]) => `${name}=${text}`)
  const harmless = fc
    .tuple(fc.constantFrom('page', 'sort', 'x.y', 'redirect'), fc.webFragments())
    .map(([name, text]) => `${name}=${text.replaceAll(/[&#=?]/g, '')}`)
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pair, harmless), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 3 }),
      (pairs, times) => {
        let query = `/a?${pairs.join('&')}`
        for (let round = 0; round < times; round += 1)
          query = `/login?redirect=${encodeURIComponent(query)}`
        return !redactText(query).includes(SECRET)
      },
    ),
    { numRuns: 3_000 },
  )
})

test('no text takes long, however it is made', () => {
  const pieces = [
    '?',
    '&',
    '%',
    '%25',
    '%3F',
    'a',
    '=',
    '?a=',
    '?token=',
    '%253Fa%253D',
    '@',
    'a@',
    '.a',
    '://',
    'a:',
    '"',
    '"a":"',
    '\\',
    ' ',
    'Key (',
    'Failing row contains (',
    'Bearer ',
    '-',
  ]
  for (const piece of pieces) {
    for (const other of ['', 'a', '%']) {
      // Of this process alone: others may have the processors meanwhile.
      const before = process.cpuUsage()
      redactText((piece + other).repeat(20_000).slice(0, 40_000))
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1_000, piece + other).toBeLessThan(150)
    }
  }
})
