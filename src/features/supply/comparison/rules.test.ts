import { expect, test } from 'vitest'
import type { PurchaseStatus } from '#features/supply/purchase/rules.ts'
import { differenceOf, isNews, type OurPurchase, type ReportedPurchase } from './rules.ts'

const ours = (status: PurchaseStatus, actualMinor: bigint | null = null): OurPurchase => ({
  id: '1',
  orderId: '2',
  reference: 'r',
  supplierId: 't',
  status,
  currency: 'USD',
  actualMinor,
})
const theirs = (
  state: ReportedPurchase['state'],
  minor: bigint | null = null,
  currency = 'USD',
): ReportedPurchase => ({
  supplierId: 't',
  reference: 'r',
  state,
  cost: minor === null ? null : { minor, currency },
  at: null,
})

test.each([
  [null, theirs('done', 5n), 'missing_here', false],
  [null, theirs('open'), 'missing_here', false],
  [null, theirs('failed'), null, false],
  [ours('done', 5n), theirs('done', 5n), null, false],
  [ours('done', 5n), theirs('done'), null, false],
  [ours('done', 5n), theirs('done', 6n), 'amount', false],
  [ours('done', 5n), theirs('done', 5n, 'EUR'), 'amount', false],
  [ours('late', 5n), theirs('done', 5n), null, false],
  [ours('done', 5n), theirs('failed'), 'state', true],
  [ours('done', 5n), theirs('open'), 'state', false],
  [ours('failed'), theirs('done', 5n), 'state', true],
  [ours('failed'), theirs('failed'), null, false],
  [ours('reversed', 5n), theirs('failed'), null, false],
  [ours('accepted'), theirs('done', 5n), null, true],
  [ours('unknown'), theirs('failed'), null, true],
  [ours('accepted'), theirs('open'), null, false],
  [ours('doubt'), theirs('done', 5n), 'state', true],
  [ours('doubt'), theirs('open'), null, false],
] as const)('%o beside %o', (known, told, expected, news) => {
  expect(differenceOf(known, told)).toBe(expected)
  if (known) expect(isNews(known, told)).toBe(news)
})
