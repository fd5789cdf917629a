import type { listHistoryOfProduct } from '#features/goods/editing/queries.ts'
import { goodsTexts } from '#features/goods/editing/views.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext } from '../page.ts'

interface PastChange {
  readonly change: string
  readonly kind: string
  readonly at: string
  readonly by: string
  readonly isUndone: boolean
  readonly rows: readonly {
    readonly field: string
    readonly subject: string
    readonly name: string
    readonly before: string
    readonly after: string
  }[]
}

export interface HistoryView {
  readonly changes: readonly PastChange[]
  /** Query of what is older; null at the end. */
  readonly older: string | null
}

const SHOWN = 100

type PastRows = Awaited<ReturnType<typeof listHistoryOfProduct>>

/** What became of it, change by change, the latest first. @param read a page of what is asked about */
export async function historyView(
  context: ConsoleContext,
  read: (page: { readonly before: string | null; readonly limit: number }) => Promise<PastRows>,
): Promise<HistoryView> {
  const { ctx, language, timeZone, t, query } = context
  const asked = query.get('before')
  const before = asked !== null && /^[A-Za-z0-9_-]{22}$/.test(asked) ? asked : null
  const rows = await read({ before, limit: SHOWN + 1 })
  const maySeeCost = mayDo(ctx.operator, 'price.read')
  const { text, nameOf } = await goodsTexts(ctx.db, t, language.code, rows)
  // A change stands on one page: the last of those there is room for may go on on the next.
  const whole =
    rows.length > SHOWN ? rows.filter(({ change }) => change !== rows.at(-1)?.change) : rows
  const shown = whole.length === 0 ? rows : whole
  const changes = [...Map.groupBy(shown, ({ change }) => change)].flatMap(([change, own]) => {
    const [first] = own
    if (!first) return []
    return {
      change,
      kind: first.kind,
      at: formatShortMoment(language.code, first.at, timeZone),
      by: actorName(first.by),
      isUndone: first.isUndone,
      rows: own
        .filter(({ field }) => field !== 'cost' || maySeeCost)
        .map((row) => ({
          field: row.field,
          subject: row.subject,
          name: nameOf(row as Parameters<typeof nameOf>[0]),
          before: text(row.field, row.before),
          after: text(row.field, row.after),
        })),
    }
  })
  const last = changes.at(-1)
  return { changes, older: rows.length > SHOWN && last ? last.change : null }
}
