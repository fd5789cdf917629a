import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openJournal } from '../payment/journal.ts'
import { openBooks, type Books } from './books.ts'
import type { Good } from './goods.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-books-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const good: Good = {
  sku: 'game:x:1',
  kind: 'topup',
  name: 'x',
  group: 'x',
  groupName: 'x',
  country: null,
  face: null,
  cost: 100n,
  fields: [],
  prefixes: [],
  free: null,
  bundle: null,
}
const open = () => openBooks(openJournal(join(folder, 'journal.ndjson')), () => {})
const buy = (books: Books, reference: string, account = '1') =>
  books.buy({
    supplier: 'seagm',
    reference,
    good,
    quantity: 1,
    fields: {},
    account,
    isReferenceUnique: true,
  })

test('what was sold and what is left outlives a restart, and what is over for long is kept as its cost', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const first = open()
  await first.setBalance('seagm', 1_000n)
  await buy(first, 'a')
  await buy(first, 'b', '9003')
  await first.close()
  const second = open()
  expect(second.balance('seagm')).toBe(800n)
  expect(second.find('seagm', 'b')[0]?.state).toBe('pending')
  await second.settle(Date.now() + 10_000)
  expect(second.balance('seagm')).toBe(900n)
  expect(await buy(second, 'a')).toEqual({ refused: 'duplicate' })
  await second.close()
  vi.setSystemTime(Date.now() + 50 * 86_400_000)
  const third = open()
  expect([third.balance('seagm'), third.sales()]).toEqual([900n, []])
  await third.close()
})

test('nothing is sold above what is left, or above what the buyer pays at most', async () => {
  const books = open()
  await books.setBalance('seagm', 99n)
  expect(await buy(books, 'a')).toEqual({ refused: 'balance' })
  await books.setBalance('seagm', 100n)
  expect(
    await books.buy({
      supplier: 'seagm',
      reference: 'b',
      good,
      quantity: 1,
      fields: {},
      account: '9009',
      max: 100n,
      isReferenceUnique: true,
    }),
  ).toEqual({ refused: 'price' })
  expect(books.sales()).toEqual([])
  await books.close()
})
