import { expect, test } from 'vitest'
import { checkedBy, problemOf } from './rules.ts'

const NOW = new Date('2026-11-27T12:00:00Z')
const PLAYER = { key: 'user_id', kind: 'digits' } as const
const SERVER = { key: 'zone_id', kind: 'digits' } as const
const PHONE = { key: 'phone', kind: 'phone' } as const

test.each([
  ['account', [PLAYER, SERVER], 'user_id', 'account_unknown'],
  ['account', [SERVER, PLAYER], 'user_id', 'account_unknown'],
  ['zone', [PLAYER, SERVER], 'zone_id', 'account_zone'],
  ['zone', [PLAYER], 'user_id', 'account_zone'],
  ['not_eligible', [PLAYER], 'user_id', 'account_not_eligible'],
  ['operator', [PHONE], 'phone', 'phone_operator'],
  ['not_valid', [PHONE], 'phone', 'phone_format'],
] as const)(
  'a supplier that refuses the %s is heard at its field',
  (fault, fields, key, reason) => {
    expect(problemOf(fault, fields)).toEqual({ key, reason })
  },
)

const valid = (expiresAt: Date | null) =>
  checkedBy({ kind: 'valid', displayName: 'Blue Lion', expiresAt }, NOW)

test('an answer holds for minutes, and never longer than its supplier says', () => {
  expect(valid(null)).toEqual({
    state: 'valid',
    name: 'Blue Lion',
    until: new Date('2026-11-27T12:10:00Z'),
  })
  const soon = new Date('2026-11-27T12:01:00Z')
  expect(valid(soon)).toMatchObject({ until: soon })
  expect(checkedBy({ kind: 'unchecked' }, NOW)).toEqual({ state: 'unchecked' })
})
