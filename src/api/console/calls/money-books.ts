import { z } from 'zod'
import { listClosings, readBooks } from '#features/office/books/queries.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { moment } from './shapes.ts'

const PAGE = 31
const PAGE_MAX = 366
const day = z.iso.date()

const moneyLedger = operatorCall({
  path: 'console/money/ledger',
  summary: 'The accounts of the books with their balances, at the end of a day or now',
  description:
    'A balance is credits less debits: above zero is what the shop owes or has earned. Accounts of shoppers count together. A day that is not closed yet answers as things are now; while many days wait to be closed, as they were at the end of the last that is, and says so.',
  body: z.object({ day: day.optional() }),
  data: z.object({
    day: z.string().nullable(),
    closed: moment.nullable(),
    is_catching_up: z.boolean(),
    accounts: z.array(
      z.object({
        account: z.string(),
        currency: z.string(),
        debit_minor: z.string(),
        credit_minor: z.string(),
        balance_minor: z.string(),
      }),
    ),
  }),
  example: { day: '2026-11-19' },
  async answer({ ctx }, { day: wanted }) {
    const { closing, isCatchingUp, balances } = await readBooks(ctx.db, wanted ?? null, ctx.now())
    return {
      day: closing?.day ?? null,
      closed: closing?.closedAt.toISOString() ?? null,
      is_catching_up: isCatchingUp,
      accounts: balances.map((each) => ({
        account: each.account,
        currency: each.currency,
        debit_minor: each.debitMinor.toString(),
        credit_minor: each.creditMinor.toString(),
        balance_minor: each.balanceMinor.toString(),
      })),
    }
  },
})

const moneyDays = operatorCall({
  path: 'console/money/days',
  summary: 'Closed days of the books, newest first',
  body: z.object({
    cursor: day.optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).optional(),
  }),
  data: z.object({
    days: z.array(
      z.object({
        day: z.string(),
        begins: moment,
        ends: moment,
        transfers: z.number(),
        closed: moment,
      }),
    ),
    next: z.string().nullable(),
  }),
  example: {},
  async answer({ ctx }, { cursor, limit = PAGE }) {
    const found = await listClosings(ctx.db, cursor ?? null, limit + 1)
    const { shown: days, last } = pageOf(found, limit)
    return {
      days: days.map((each) => ({
        day: each.day,
        begins: each.begins.toISOString(),
        ends: each.ends.toISOString(),
        transfers: each.transfers,
        closed: each.closedAt.toISOString(),
      })),
      next: last?.day ?? null,
    }
  },
})

export const MONEY_BOOKS_CALLS = [moneyLedger, moneyDays] as const
