import {
  countCaseViews,
  listDeskCases,
  type DeskCase,
} from '#features/buying/after-sales/queries.ts'
import { CASE_VIEWS, type CaseView } from '#features/buying/after-sales/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { COUNTED_MOST, countedTexts } from '../kit/counted.ts'
import { groupedNumber } from '../kit/grouped-number.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface CaseRow {
  readonly id: string
  readonly kind: string
  readonly look: StateLook
  readonly reason: string
  readonly shopper: string | null
  readonly goods: string | null
  readonly order: string
  readonly who: string | null
  /** How long it has waited; of what is decided, when it was. */
  readonly age: string
  /** Of a dispute: how long its bank waits; null where nobody has noted it. */
  readonly left: { readonly text: string; readonly isLate: boolean } | null
}

export interface CasesData {
  readonly views: readonly CaseView[]
  readonly view: CaseView
  readonly counts: Readonly<Record<CaseView, string>>
  readonly rows: readonly CaseRow[]
  readonly next: string | null
}

const LISTED = 50
const DAY_MS = 86_400_000

export async function load(context: ConsoleContext): Promise<Loaded<CasesData>> {
  const { ctx, query, t } = context
  const view = CASE_VIEWS.find((one) => one === query.get('view')) ?? 'open'
  const after = query.get('after')
  const found = await listDeskCases(ctx.db, {
    view,
    operator: ctx.operator.name,
    after: after !== null && PUBLIC_ID.test(after) ? after : null,
    limit: LISTED + 1,
  })
  const counts = await countCaseViews(ctx.db, ctx.operator.name, COUNTED_MOST)
  const { shown, last } = pageOf(found, LISTED)
  return {
    title: t('console.cases.nav'),
    data: {
      views: CASE_VIEWS,
      view,
      counts: countedTexts(context, counts),
      rows: shown.map((one) => rowOf(context, one)),
      next: last ? `/cases?view=${view}&after=${last.id}` : null,
    },
  }
}

export const CASE_LOOKS: Readonly<Record<DeskCase['status'], StateLook>> = {
  open: 'badge warn',
  accepted: 'done',
  declined: 'gone',
  withdrawn: 'gone',
}

function rowOf(context: ConsoleContext, found: DeskCase): CaseRow {
  const { ctx, t, language, timeZone } = context
  const seconds = (from: Date) =>
    Math.max(0, Math.round((ctx.now().getTime() - from.getTime()) / 1_000))
  return {
    id: found.id,
    kind:
      found.status === 'open'
        ? t(`console.cases.kind.${found.kind}`)
        : t(`console.cases.status.${found.status}`),
    look:
      found.kind === 'dispute' && found.status === 'open' ? 'badge bad' : CASE_LOOKS[found.status],
    reason: found.reason === 'disputed' ? '' : t(`order.reason.${found.reason}`),
    shopper: found.shopper,
    goods: found.goods,
    order: groupedNumber(found.orderNumber),
    who: found.claimedBy,
    age:
      found.decidedAt === null
        ? formatDuration(language.code, seconds(found.createdAt))
        : formatShortMoment(language.code, found.decidedAt, timeZone),
    left: leftOf(context, found),
  }
}

/** How long a bank still takes evidence; late where less than a day is left. */
export function leftOf(
  { ctx, t, language }: Pick<ConsoleContext, 'ctx' | 't' | 'language'>,
  { dueAt, status }: Pick<DeskCase, 'dueAt' | 'status'>,
): CaseRow['left'] {
  if (dueAt === null || status !== 'open') return null
  const ms = dueAt.getTime() - ctx.now().getTime()
  return {
    text:
      ms <= 0
        ? t('console.cases.overdue')
        : t('console.cases.left', {
            time: formatDuration(language.code, Math.round(ms / 1_000)),
          }),
    isLate: ms < DAY_MS,
  }
}
