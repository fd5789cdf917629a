import { listSavedReports } from '#features/office/report/queries.ts'
import { mayReport, type Report, type Rhythm } from '#features/office/report/rules.ts'
import { REPORT_NAMES } from '#features/office/report/views.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'

/** A saved report as its page lists it. */
export interface SavedLine {
  /** Public id. */
  readonly id: string
  readonly name: string
  readonly report: Report
  readonly reportName: string
  /** Its address, below `/console/reports`. */
  readonly query: string
  readonly isShared: boolean
  readonly isOwn: boolean
  readonly owner: string
  readonly version: number
  readonly rhythm: Rhythm | null
  readonly next: string | null
}

/** What this operator keeps and what others share, where they may read it. */
export async function loadSaved({
  ctx,
  t,
  language,
  timeZone,
}: ConsoleContext): Promise<SavedLine[]> {
  const all = await listSavedReports(ctx.db, ctx.operator.id)
  return all
    .filter(({ report }) => mayReport(ctx.operator, report))
    .map((saved) => ({
      id: saved.publicId,
      name: saved.name,
      report: saved.report,
      reportName: t(REPORT_NAMES[saved.report]),
      query: `${saved.choice}&saved=${saved.publicId}`,
      isShared: saved.isShared,
      isOwn: saved.isOwn,
      owner: saved.owner,
      version: saved.version,
      rhythm: saved.rhythm,
      next: saved.nextAt && formatShortMoment(language.code, saved.nextAt, timeZone),
    }))
}
