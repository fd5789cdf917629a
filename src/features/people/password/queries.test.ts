import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passwordProblem } from './queries.ts'
import { passwordRuleProblem } from './rules.ts'

const lax = { strict: false, personal: [] }
const strict = { strict: true, personal: [] }

/** The rule once more, character by character, as the specification words it. */
function keepsTheRule(text: string): boolean {
  const kinds = new Set<string>()
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 65 && code <= 90) kinds.add('upper')
    else if (code >= 97 && code <= 122) kinds.add('lower')
    else if (code >= 48 && code <= 57) kinds.add('digit')
    else return false
  }
  return text.length >= 8 && text.length <= 20 && kinds.size === 3
}

const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom(...'ABCxyz019', 'é', 'Ａ', '９', ' ', '!', '\n', '\0', 'ß', 'İ'), {
      maxLength: 24,
    })
    .map((list) => list.join('')),
  fc
    .array(fc.constantFrom(...'ABCDEFxyzuvw0123456789'), { minLength: 6, maxLength: 22 })
    .map((list) => list.join('')),
)

describe("the shop's rule", () => {
  test('is exactly the specification: 8 to 20 letters and digits, all three kinds, nothing else', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) => (passwordRuleProblem(text, false) === null) === keepsTheRule(text),
      ),
      { numRuns: 20_000 },
    )
  })

  test('a text that breaks it is refused for that, whatever else it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const problem = passwordProblem(text, { strict: false, personal: ['anna1234'] })
        expect(problem === 'password_rule').toBe(!keepsTheRule(text))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    '',
    'Ab1',
    'Kp7vQ2m',
    'Kp7vQ2mZ9dXw4Rt6LbNc8',
    'kp7vq2mz',
    'KP7VQ2MZ',
    'KpvQmZwd',
    'Kp7vQ2m!',
    'Kp7v Q2mZ',
    'Kp7vQ2mé',
    'Ｋp7vQ2mZ',
    'Kp7vQ2mZ\n',
  ])('%j breaks it', (text) => {
    expect(passwordProblem(text, lax)).toBe('password_rule')
  })

  test.each(['Kp7vQ2mZ', 'Kp7vQ2mZ9dXw4Rt6LbNc', 'GreenKettle47Snow', 'Tr0mbone9Sky'])(
    '%s is accepted',
    (text) => {
      expect(passwordProblem(text, lax)).toBeNull()
    },
  )
})

describe('the strict rule', () => {
  test.each([
    'Kp7v Q2m!',
    'Grün er Kessel 47',
    `Kp7${'xQ!vé'.repeat(25)}`,
    '鋼鐵 Kettle 47 雪',
    'Kp7😀😃😄😁😆',
  ])('%s is accepted', (text) => {
    expect(passwordProblem(text, strict)).toBeNull()
  })

  test.each([
    'Kp7v Q2',
    'kp7v q2m!',
    'KP7V Q2M!',
    'Kpxv Qxm!',
    'Kp7vQ2m\n',
    'Kp7vQ2m\0',
    'Kp7vQ2m\ud800',
    `Kp7${'xQ!vé'.repeat(26)}`,
    `Aa1${'x'.repeat(1_000_000)}`,
  ])('%j breaks it', (text) => {
    expect(passwordProblem(text, strict)).toBe('password_rule_strict')
  })
})

describe('a password that others try first', () => {
  test.each([
    'Password1',
    'PASSWORd123',
    'Dragon2024',
    'Letmein123',
    'Iloveyou1',
    'Football99',
    'Trustno1',
    'Superman2025',
    'Monkey1234',
    'Qwerty123',
    '1Qaz2wsx',
    'Passw0rd',
  ])('%s is a known one, or a known word with digits', (text) => {
    expect(passwordProblem(text, lax)).toBe('password_common')
  })

  test.each([
    'Aaaaaaa1',
    'Aa1Aa1Aa1',
    'Abcdefg1',
    'Abcd1234',
    'Zyxwvut9',
    '9Hgfedcba',
    'Aa123456789',
    'Qwertyuiop1',
    'Poiuytrewq9',
    'Asdfghjkl1',
    'Kx4pQKx4pQ',
    'Aaaa1111',
    'Abcabc123',
    'Qwer4321',
    'Aaabbbccc111',
  ])('%s is a row or a repetition', (text) => {
    expect(passwordProblem(text, lax)).toBe('password_common')
  })

  test('is one in the strict rule too, with symbols behind it', () => {
    for (const text of ['Password1!', 'Dragon2024', 'Dragon24!!', 'Abcdefg1!'])
      expect(passwordProblem(text, strict)).toBe('password_common')
  })

  test('of a thousand drawn at random next to none is taken for one', () => {
    const drawn = fc.sample(
      fc
        .array(
          fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'),
          { minLength: 10, maxLength: 10 },
        )
        .map((list) => `Kp7${list.join('')}`),
      { numRuns: 1_000, seed: 7 },
    )
    expect(drawn.filter((text) => passwordProblem(text, lax) !== null).length).toBeLessThanOrEqual(
      1,
    )
  })
})

test('a password of the words of this shop is one that others try first', () => {
  for (const text of ['Lukado2026', 'xLukado77', 'GiftCard2026', 'TopUp1294a', 'GameCard9'])
    expect([text, passwordProblem(text, { strict: false, personal: [] })]).toEqual([
      text,
      'password_common',
    ])
  expect(passwordProblem('Kelapa7LukadoMuda', { strict: false, personal: [] })).toBeNull()
})

describe('a password with a name of the person in it', () => {
  const anna = ['Annabella77', 'anna.schmidt@mail.example', 'Änni Örtel']
  test.each(['Annabella77X', 'xANNABELLA77x', 'Schmidt4Ever', '47AnnaSchmidt', 'KpSchmidt47'])(
    '%s is refused',
    (text) => {
      expect(passwordProblem(text, { strict: false, personal: anna })).toBe('password_personal')
    },
  )

  test('is refused in the strict rule whatever stands between', () => {
    expect(passwordProblem('Anna-Schmidt 47 x', { strict: true, personal: anna })).toBe(
      'password_personal',
    )
    expect(passwordProblem('kettle ÖRTEL 47', { strict: true, personal: anna })).toBe(
      'password_personal',
    )
  })

  test('counts from four characters on, and the domain of an address does not count', () => {
    expect(
      passwordProblem('GreenBob47Snow', {
        strict: false,
        personal: ['bob', 'bob@kettle.example', ''],
      }),
    ).toBeNull()
    expect(
      passwordProblem('Green47Kettle', { strict: false, personal: ['bob@kettle.example'] }),
    ).toBeNull()
    expect(passwordProblem('GreenBobb47Snow', { strict: false, personal: ['Bobb'] })).toBe(
      'password_personal',
    )
  })
})
