import {
  listLines,
  listReturnsToSend,
  listStatements,
  suggestOrders,
  type BankLine,
} from '#features/buying/bank-transfer/queries.ts'
import type { Suggestion, SuggestionReason } from '#features/buying/bank-transfer/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { isUuid } from '#kernel/uuid.ts'
import { formatDate, formatList, formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface ShownLine {
  readonly id: string
  readonly booked: string
  readonly amount: string
  readonly payer: string | null
  readonly text: string
  readonly reference: string | null
  readonly outcome: 'matched' | 'set_aside' | null
  readonly order: string | null
  readonly note: string
  readonly by: string | null
  readonly isWaiting: boolean
  readonly suggestions: readonly {
    readonly order: string
    readonly score: number
    readonly why: string
    readonly asked: string
  }[]
}

export interface BankView {
  readonly view: 'bank'
  readonly state: 'open' | 'closed'
  readonly lines: readonly ShownLine[]
  readonly more: string | null
  readonly statements: readonly {
    readonly id: string
    readonly at: string
    readonly by: string
    readonly lines: number
    readonly known: number
  }[]
  readonly returns: readonly {
    readonly refund: string
    readonly order: string
    readonly amount: string
    readonly asked: string
  }[]
}

const LISTED = 20
const STATEMENTS = 5
const RETURNS = 50

export async function loadBank(context: ConsoleContext): Promise<BankView> {
  const { ctx, query, language, timeZone } = context
  const state = query.get('state') === 'closed' ? 'closed' : 'open'
  const after = query.get('after')
  const from = after !== null && isUuid(after) ? after : null
  const [found, statements, returns, money] = await Promise.all([
    listLines(ctx.db, state === 'open', from, LISTED + 1),
    listStatements(ctx.db, STATEMENTS),
    listReturnsToSend(ctx.db, RETURNS),
    moneyTexts(context),
  ])
  const { shown: lines, last } = pageOf(found, LISTED)
  const suggested =
    state === 'open' ? await suggestOrders(ctx.db, lines) : new Map<string, readonly Suggestion[]>()
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return {
    view: 'bank',
    state,
    lines: lines.map((line) => shownLine(context, line, suggested.get(line.publicId) ?? [], money)),
    more: last ? `/money?view=bank&state=${state}&after=${last.id}` : null,
    statements: statements.map(({ publicId: id, importedAt, importedBy, lines: count, known }) => ({
      id,
      at: moment(importedAt),
      by: actorName(importedBy),
      lines: count,
      known,
    })),
    returns: returns.map(({ refundId, orderNumber, money: amount, askedAt }) => ({
      refund: refundId,
      order: orderNumber,
      amount: money(amount.minor, amount.currency),
      asked: moment(askedAt),
    })),
  }
}

function shownLine(
  { t, language }: ConsoleContext,
  line: BankLine,
  suggestions: readonly Suggestion[],
  money: (minor: bigint, currency: string) => string,
): ShownLine {
  const reason = (one: SuggestionReason) => t(`console.money.reason.${one}`)
  return {
    id: line.publicId,
    // A day of the bank, whatever the hour is where it is read.
    booked: formatDate(language.code, new Date(`${line.bookedOn}T12:00:00Z`), 'UTC'),
    amount: money(line.money.minor, line.money.currency),
    payer: line.payer,
    text: line.text,
    reference: line.reference,
    outcome: line.outcome,
    order: line.orderNumber,
    note: line.note,
    by: line.closedBy && actorName(line.closedBy),
    isWaiting: line.waits !== null,
    suggestions: suggestions.map((one) => ({
      order: one.orderNumber,
      score: one.score,
      why: formatList(language.code, one.reasons.map(reason)),
      asked: money(one.asked.minor, one.asked.currency),
    })),
  }
}
