import { listSupplyDifferences } from '#features/supply/comparison/queries.ts'
import type { DifferenceKind } from '#features/supply/comparison/rules.ts'
import { listOpenInvoices } from '#features/supply/invoice/queries.ts'
import {
  isQueuePlace,
  listCases,
  listDoubts,
  listQueued,
} from '#features/supply/purchase/queries.ts'
import { pageOf, type Part } from '#kernel/page.ts'
import { isUuid } from '#kernel/uuid.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'
import { ago } from './state-of.ts'

const LISTED = 50

/** A page of what waits, behind the place that the address names, and the address of the next. */
async function pageIn<Row>(
  { query }: ConsoleContext,
  view: string,
  isPlace: (text: string) => boolean,
  list: (part: Part) => Promise<readonly Row[]>,
  placeOf: (row: Row) => string,
): Promise<{ readonly shown: readonly Row[]; readonly next: string | null }> {
  const named = query.get('after')
  const after = named !== null && isPlace(named) ? named : null
  const { shown, last } = pageOf(await list({ after, limit: LISTED + 1 }), LISTED)
  const address = last && new URLSearchParams({ view, after: placeOf(last) })
  return { shown, next: address ? `/suppliers?${address.toString()}` : null }
}

const idOf = ({ id }: { readonly id: string }) => id

export interface DoubtsView {
  readonly view: 'doubts'
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
  readonly rows: readonly {
    readonly reference: string
    readonly supplier: string
    readonly theirId: string | null
    readonly order: string
    readonly goods: string
    readonly cost: string
    readonly told: string | null
    readonly asked: string
    readonly age: string
  }[]
}

export async function loadDoubts(context: ConsoleContext): Promise<DoubtsView> {
  const { ctx, language, timeZone } = context
  const list = (part: Part) => listDoubts(ctx.db, part)
  const { shown, next } = await pageIn(context, 'doubts', isUuid, list, idOf)
  const money = await moneyTexts(context)
  return {
    view: 'doubts',
    next,
    rows: shown.map((each) => ({
      reference: each.reference,
      supplier: each.supplier,
      theirId: each.supplierId,
      order: each.orderNumber,
      goods: `${each.product}: ${each.item}`,
      cost: money(each.expected, each.currency),
      told: each.told,
      asked: formatShortMoment(language.code, each.since, timeZone),
      age: ago(context, each.since),
    })),
  }
}

export interface WaitingView {
  readonly view: 'waiting'
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
  readonly rows: readonly {
    readonly unit: string
    readonly order: string
    readonly supplier: string
    readonly goods: string
    readonly held: 'price' | 'known' | null
    readonly due: string
  }[]
}

export async function loadWaiting(context: ConsoleContext): Promise<WaitingView> {
  const { ctx, language, timeZone } = context
  const { shown, next } = await pageIn(
    context,
    'waiting',
    isQueuePlace,
    (part) => listQueued(ctx.db, part),
    ({ place }) => place,
  )
  return {
    view: 'waiting',
    next,
    rows: shown.map((each) => ({
      unit: each.unit,
      order: each.orderNumber,
      supplier: each.supplier,
      goods: `${each.product}: ${each.item}`,
      held: each.held,
      due: formatShortMoment(language.code, each.dueAt, timeZone),
    })),
  }
}

export interface CasesView {
  readonly view: 'cases'
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
  readonly rows: readonly {
    readonly id: string
    readonly kind: 'late' | 'reversed' | 'cost' | 'known'
    readonly supplier: string
    readonly reference: string
    readonly order: string
    readonly cost: string
    readonly age: string
  }[]
}

export async function loadCases(context: ConsoleContext): Promise<CasesView> {
  const list = (part: Part) => listCases(context.ctx.db, part)
  const { shown, next } = await pageIn(context, 'cases', isUuid, list, idOf)
  const money = await moneyTexts(context)
  return {
    view: 'cases',
    next,
    rows: shown.map((each) => ({
      id: each.id,
      kind: each.kind,
      supplier: each.supplier,
      reference: each.reference,
      order: each.orderNumber,
      cost: each.cost === null ? '–' : money(each.cost, each.currency),
      age: ago(context, each.openedAt),
    })),
  }
}

export interface DifferencesView {
  readonly view: 'differences'
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
  readonly rows: readonly {
    readonly id: string
    readonly kind: DifferenceKind
    readonly supplier: string
    readonly reference: string | null
    readonly theirId: string | null
    readonly order: string | null
    readonly ours: string
    readonly theirs: string
    readonly age: string
  }[]
}

export async function loadDifferences(context: ConsoleContext): Promise<DifferencesView> {
  const list = (part: Part) => listSupplyDifferences(context.ctx.db, part)
  const { shown, next } = await pageIn(context, 'differences', isUuid, list, idOf)
  const money = await moneyTexts(context)
  const amount = (minor: string | null, currency: string | null) =>
    minor === null || currency === null ? '–' : money(minor, currency)
  return {
    view: 'differences',
    next,
    rows: shown.map((each) => ({
      id: each.id,
      kind: each.kind,
      supplier: each.supplier,
      reference: each.reference,
      theirId: each.theirId,
      order: each.orderNumber,
      ours: amount(each.ourMinor, each.currency),
      theirs: amount(each.theirMinor, each.currency),
      age: ago(context, each.foundAt),
    })),
  }
}

export interface InvoicesView {
  readonly view: 'invoices'
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
  readonly rows: readonly {
    readonly supplier: string
    readonly number: string
    readonly kind: 'invoice' | 'credit_note'
    readonly days: string
    readonly billed: string
    readonly booked: string
    readonly more: string
    readonly purchases: number
  }[]
}

export async function loadInvoices(context: ConsoleContext): Promise<InvoicesView> {
  const list = (part: Part) => listOpenInvoices(context.ctx.db, part)
  const { shown, next } = await pageIn(context, 'invoices', isUuid, list, idOf)
  const money = await moneyTexts(context)
  return {
    view: 'invoices',
    next,
    rows: shown.map((each) => ({
      supplier: each.supplier,
      number: each.number,
      kind: each.kind,
      days: `${each.fromOn} – ${each.untilOn}`,
      billed: money(each.amount, each.currency),
      booked: money(each.booked, each.currency),
      more: money(BigInt(each.amount) - BigInt(each.booked), each.currency),
      purchases: each.purchases,
    })),
  }
}
