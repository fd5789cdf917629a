import { expect, test } from 'vitest'
import { identityOf, type KeyFormat } from '../rules.ts'
import { boughtFormat, boughtKey, type BoughtCard } from './bought-card.ts'

const TODAY = '2026-11-27'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const format = (...names: string[]): KeyFormat => ({
  parts: names.map((name) => ({ name, pattern: '^[A-Z0-9-]+$' })),
})
const card = (parts: Partial<BoughtCard>): BoughtCard => ({
  code: null,
  pin: null,
  serial: null,
  url: null,
  image: null,
  expiresOn: null,
  ...parts,
})

test('a bought card is kept with all that it has', () => {
  expect(
    boughtKey(
      format('code'),
      card({ code: ' AB-12 ', pin: '99', serial: 'S1', expiresOn: '2031-12-31' }),
      TODAY,
    ),
  ).toEqual({
    key: { parts: { code: 'AB-12', serial: 'S1', pin: '99' }, expiresOn: '2031-12-31' },
  })
  // A brand whose cards have numbers calls the code so.
  expect(boughtKey(format('number', 'pin'), card({ code: '4000', pin: '1' }), TODAY)).toEqual({
    key: { parts: { number: '4000', pin: '1' }, expiresOn: null },
  })
  expect(boughtKey(format('code'), card({ url: 'https://gift.example/x' }), TODAY)).toMatchObject({
    key: { parts: { url: 'https://gift.example/x' } },
  })
  expect(boughtKey(format('code'), card({ image: PNG }), TODAY)).toMatchObject({
    key: { parts: { image: expect.stringMatching(/^data:image\/png;base64,/) } },
  })
})

test('what is no card, has run out or is too large is not kept, and nothing of it is said', () => {
  const faults: readonly (readonly [Partial<BoughtCard>, string])[] = [
    [{}, 'part'],
    [{ serial: 'S1' }, 'part'],
    [{ code: '   ' }, 'part'],
    [{ url: 'javascript:alert(1)' }, 'part'],
    [{ image: Buffer.from('<svg onload=alert(1)>') }, 'part'],
    [{ image: Buffer.alloc(1_048_577, PNG) }, 'too_long'],
    [{ code: 'A'.repeat(4_001) }, 'too_long'],
    [{ code: 'A', expiresOn: '2026-13-01' }, 'date'],
    [{ code: 'A', expiresOn: TODAY }, 'expired'],
  ]
  for (const [parts, fault] of faults)
    expect(boughtKey(format('code'), card(parts), TODAY), fault).toEqual({ fault })
})

test('a bought key is the same as one of the shop’s own that says the same, and as no other', () => {
  const brand = format('code')
  const own = identityOf('steam', brand, { code: 'ABC-12' })
  const withPin = { code: 'abc12', pin: '7' }
  expect(identityOf('steam', boughtFormat(brand, withPin), withPin)).toBe(own)
  // Without what the brand goes by it is known by all that it has: two links are two keys.
  const [one, two] = ['https://a.example/1', 'https://a.example/2'].map((url) =>
    identityOf('steam', boughtFormat(brand, { url }), { url }),
  )
  expect(one).not.toBe(two)
})
