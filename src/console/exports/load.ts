import { listExports } from '#features/office/export/queries.ts'
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
  type ExportState,
} from '#features/office/export/rules.ts'
import { dayIn } from '#kernel/day.ts'
import { formatCount, formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface ExportsData {
  readonly kinds: readonly ExportKind[]
  readonly formats: readonly ExportFormat[]
  /** Today, as the days of the form begin. */
  readonly today: string
  readonly isWorking: boolean
  readonly runs: readonly {
    readonly id: string
    readonly kind: ExportKind
    readonly format: ExportFormat
    readonly isTooLong: boolean
    readonly span: string
    readonly look: StateLook
    readonly state: ExportState
    readonly rows: string
    readonly failure: string | null
    readonly by: string
    readonly at: string
  }[]
}

const LISTED = 50
const LOOKS: Readonly<Record<ExportState, StateLook>> = {
  waiting: '',
  running: 'way',
  done: 'done',
  failed: 'badge warn',
  cancelled: 'gone',
}

export async function load({
  ctx,
  t,
  language,
  timeZone,
}: ConsoleContext): Promise<Loaded<ExportsData>> {
  const runs = await listExports(ctx.db, LISTED)
  return {
    title: t('console.exports.nav'),
    data: {
      kinds: EXPORT_KINDS,
      formats: EXPORT_FORMATS,
      today: dayIn(timeZone, ctx.now()),
      isWorking: runs.some(({ finishedAt }) => finishedAt === null),
      runs: runs.map((run) => ({
        id: run.publicId,
        kind: run.kind,
        format: run.format,
        isTooLong: run.isTooLong,
        span: `${run.fromDay} – ${run.untilDay}`,
        look: LOOKS[run.state],
        state: run.state,
        rows: formatCount(language.code, run.rows),
        failure: run.failure,
        by: actorName(run.askedBy),
        at: formatShortMoment(language.code, run.askedAt, timeZone),
      })),
    },
  }
}
