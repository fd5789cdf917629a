import { describe, expect, test } from 'vitest'
import { A_DAYS_WORTH, totalLimitOf, type OperatorRole } from '#features/team/operator/rules.ts'
import {
  ACT_KINDS,
  APART_AFTER_HOURS,
  bondBetween,
  GIVING_KINDS,
  hasNoAmount,
  isAboveRole,
  kindsOf,
  MEASURES,
  needsSecondPerson,
  type ActKind,
  type Hand,
} from './rules.ts'

const MONEY = ACT_KINDS.filter((kind) => !hasNoAmount(kind))
const NOTHING = { toSame: 0n, toAll: 0n, aloneToSame: 0n, given: 0n, forOrder: 0n }
const SHOP = 1_000_000n
const waits = (
  role: OperatorRole,
  kind: ActKind,
  minor: bigint | null,
  counted: Partial<typeof NOTHING> = {},
  shopLimit = SHOP,
) => needsSecondPerson({ role }, { kind, minor }, { ...NOTHING, ...counted }, shopLimit)

describe('what an operator gives', () => {
  test.each([
    ['support', 'refund', 2_000n],
    ['support', 'case', 2_000n],
    ['support', 'store_credit', 10_000n],
    ['orders', 'unit_failure', 10_000n],
    ['orders', 'held_money', 10_000n],
    ['orders', 'hold_release', 50_000n],
    ['orders', 'short_accept', 10_000n],
    ['orders', 'late_accept', 50_000n],
    ['finance', 'stray_match', 50_000n],
    ['finance', 'refund', 50_000n],
    ['finance', 'bank_receipt', 50_000n],
    ['finance', 'bank_return', 50_000n],
    ['finance', 'stray_return', 50_000n],
    ['finance', 'stray_close', 50_000n],
    ['finance', 'difference_book', 50_000n],
    ['finance', 'difference_close', 50_000n],
  ] as const)('of the role %s, by %s, is limited to %s cents', (role, kind, limit) => {
    expect(waits(role, kind, limit)).toBe(false)
    expect(waits(role, kind, limit + 1n)).toBe(true)
    // In parts it is no more than at once.
    expect(waits(role, kind, 1n, { toSame: limit - 1n })).toBe(false)
    expect(waits(role, kind, 1n, { toSame: limit })).toBe(true)
    // Nor is it for many shoppers without an end.
    expect(waits(role, kind, 1n, { toAll: limit * A_DAYS_WORTH - 1n })).toBe(false)
    expect(waits(role, kind, 1n, { toAll: limit * A_DAYS_WORTH })).toBe(true)
  })

  test('waits for another person above the limit of the shop, whoever the operator is', () => {
    for (const kind of MONEY) {
      expect(waits('owner', kind, 500n, {}, 500n)).toBe(false)
      expect(waits('owner', kind, 501n, {}, 500n)).toBe(true)
      expect(waits('owner', kind, 1n, { aloneToSame: 500n }, 500n)).toBe(true)
      // What another person approved does not count against what one may do alone.
      expect(waits('owner', kind, 1n, { toSame: 500n, toAll: 500n }, 500n)).toBe(false)
    }
  })

  test('waits where nobody can say how much it is, and only somebody without a limit can approve it', () => {
    for (const kind of MONEY) {
      expect(waits('owner', kind, null)).toBe(true)
      expect(isAboveRole({ role: 'finance' }, { kind, minor: null }, NOTHING)).toBe(true)
      expect(isAboveRole({ role: 'owner' }, { kind, minor: null }, NOTHING)).toBe(false)
    }
  })

  test('is nothing at all for a role that lacks the permission', () => {
    for (const kind of MONEY) {
      if (kind !== 'key_import')
        expect(isAboveRole({ role: 'catalogue' }, { kind, minor: 1n }, NOTHING)).toBe(true)
      expect(isAboveRole({ role: 'read-only' }, { kind, minor: 1n }, NOTHING)).toBe(true)
    }
  })

  test.each([
    ['support', 'refund', 100_000n, 10_000n],
    ['support', 'store_credit', 100_000n, 10_000n],
    ['orders', 'hand_delivery', 500_000n, 50_000n],
    ['orders', 'replacement', 500_000n, 50_000n],
    ['finance', 'stray_return', 500_000n, 50_000n],
  ] as const)(
    'of the role %s, by %s or whatever else, is %s within a day and %s for an order',
    (role, kind, day, order) => {
      expect(waits(role, kind, 1n, { given: day - 1n })).toBe(false)
      expect(waits(role, kind, 1n, { given: day })).toBe(true)
      expect(waits(role, kind, 1n, { forOrder: order - 1n })).toBe(false)
      expect(waits(role, kind, 1n, { forOrder: order })).toBe(true)
    },
  )

  test('counts by whatever means where value goes out, and where it does not, not', () => {
    const given = { given: 10_000_000n, forOrder: 10_000_000n }
    for (const kind of MONEY) expect(waits('owner', kind, 1n, given)).toBe(false)
    for (const kind of MONEY)
      if (!GIVING_KINDS.includes(kind) && kind !== 'key_import')
        expect(waits('finance', kind, 1n, given)).toBe(false)
    expect(MONEY.filter((kind) => !GIVING_KINDS.includes(kind)).toSorted()).toEqual([
      'bank_receipt',
      'difference_book',
      'difference_close',
      'hold_release',
      'key_import',
      'stray_close',
      'stray_match',
    ])
  })

  test('is limited in the shop’s currency, and by what its owners have written', () => {
    const inYen = { role: 'support', unit: 100n } as const
    expect(totalLimitOf({ ...inYen, unit: 10_000n }, 'order')).toBe(1_000_000n)
    const own = {
      name: 'Night shift',
      permissions: ['order.refund', 'shopper.credit'],
      limits: { 'order.refund': 5_000n, 'shopper.credit': null },
    } as const
    expect(totalLimitOf({ role: 'own-1', own }, 'day')).toBeNull()
    const totals = { day: 7_000n }
    expect(totalLimitOf({ role: 'own-1', own: { ...own, totals } }, 'day')).toBe(7_000n)
    const night = { role: 'own-1', own: { ...own, totals } }
    expect(
      isAboveRole(night, { kind: 'store_credit', minor: 1n }, { ...NOTHING, given: 7_000n }),
    ).toBe(true)
  })

  test('is measured by one of the limits of the shop', () => {
    const limited = [...kindsOf('given'), ...kindsOf('noted'), ...kindsOf('imported')]
    expect(limited.toSorted()).toEqual(MONEY.toSorted())
    expect(MEASURES.store_credit.shopLimit).toBe('given')
    expect(MEASURES.bank_receipt.shopLimit).toBe('noted')
  })
})

describe('two accounts', () => {
  const now = new Date('2026-11-24T12:00:00Z')
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const hand = (name: string, changes: Partial<Hand> = {}): Hand => ({
    actor: `operator:${name}`,
    createdBy: 'operator:owner',
    createdAt: hoursAgo(1_000),
    passwordSetBy: `operator:${name}`,
    passwordSetAt: hoursAgo(1_000),
    ...changes,
  })
  const mara = hand('mara', { createdBy: 'shell', passwordSetBy: 'shell' })
  const made = (changes: Partial<Hand> = {}) => hand('aiko', { createdBy: mara.actor, ...changes })

  test.each([
    ['made by somebody else', hand('aiko', { createdAt: hoursAgo(1) }), null],
    ['made by the other, with a password of their own, long ago', made(), null],
    [
      'whose password the other chose, however long ago',
      made({ passwordSetBy: mara.actor }),
      'knows_password',
    ],
    [
      'whose password the other chose anew, though somebody else made it',
      hand('aiko', { passwordSetBy: mara.actor }),
      'knows_password',
    ],
    [
      'made by the other a moment ago',
      made({ createdAt: hoursAgo(1), passwordSetAt: hoursAgo(1) }),
      'just_made',
    ],
    [
      'made by the other, whose password was changed a moment ago',
      made({ passwordSetAt: hoursAgo(APART_AFTER_HOURS - 1) }),
      'just_made',
    ],
    [
      'made by the other, whose password was changed a day ago',
      made({ passwordSetAt: hoursAgo(APART_AFTER_HOURS) }),
      null,
    ],
    [
      'made a moment ago by nobody knows whom',
      made({ createdBy: null, createdAt: hoursAgo(1) }),
      'just_made',
    ],
  ] as const)('%s', (_, aiko, bond) => {
    expect(bondBetween(mara, aiko, now)).toBe(bond)
    expect(bondBetween(aiko, mara, now)).toBe(bond)
  })
})
