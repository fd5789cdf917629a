import { TABLE_COLUMNS } from '#features/goods/files/engine/table.ts'
import { findGoodsFile, listFileFaults, listGoodsFiles } from '#features/goods/files/queries.ts'
import {
  GOODS_FILE_MAX,
  isIncoming,
  mayFile,
  mayTakeAway,
  type FileFailure,
  type FileKind,
  type FileState,
  type GoodsFile,
} from '#features/goods/files/rules.ts'
import { formatCount, formatShortMoment } from '#platform/i18n/format.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface FileRow {
  readonly id: string
  readonly kind: FileKind
  readonly state: FileState
  readonly look: StateLook
  readonly name: string
  readonly by: string
  readonly at: string
  readonly failure: FileFailure | null
  /** How far it is, from 0 to 100; null where nobody knows. */
  readonly percent: number | null
  readonly lines: string
  readonly mayCancel: boolean
  /** It is done, and may be taken away. */
  readonly mayTake: boolean
}

export interface FileFaultRow {
  readonly key: string
  readonly line: string | null
  readonly place: string
  readonly shown: string
  readonly text: string
  /** In plain English, beside the sentence. */
  readonly why: string | null
}

export interface LookedAt extends FileRow {
  readonly hash: string
  readonly numbers: Readonly<
    Record<'items' | 'products' | 'brands' | 'changed' | 'suspended', number>
  >
  readonly prices: { readonly up: number; readonly down: number } | null
  readonly belowCost: number
  readonly belowFloor: number
  readonly faultCount: number
  readonly left: number
  readonly isMoved: boolean
  /** A folder with faults is not taken at all. */
  readonly canTake: boolean
  readonly done: {
    readonly made: number
    readonly changed: number
    readonly waits: number
    readonly left: number
  } | null
  readonly faults: readonly FileFaultRow[]
}

export interface GoodsFilesData {
  readonly maySend: boolean
  /** What of the catalogue may be made. */
  readonly makes: readonly FileKind[]
  readonly mostMegabytes: string
  readonly mostBytes: number
  readonly columns: readonly string[]
  readonly isWorking: boolean
  readonly files: readonly FileRow[]
  /** The one that is asked about, or that waits for somebody's word. */
  readonly chosen: LookedAt | null
}

const LISTED = 30
const MEGABYTE = 1024 * 1024
const FAULTS_SHOWN = 200
const PUBLIC_ID = /^[A-Za-z0-9_-]{22}$/
const LOOKS: Readonly<Record<FileState, StateLook>> = {
  uploading: '',
  waiting: '',
  checking: 'way',
  checked: 'badge warn',
  taking: 'way',
  done: 'done',
  failed: 'badge bad',
  cancelled: 'gone',
}

export async function load(context: ConsoleContext): Promise<Loaded<GoodsFilesData>> {
  const { ctx, t, query, language } = context
  const files = await listGoodsFiles(ctx.db, LISTED)
  const asked = query.get('file')
  const chosen =
    asked !== null && PUBLIC_ID.test(asked)
      ? await findGoodsFile(ctx.db, asked)
      : (files.find(({ state, kind }) => isIncoming(kind) && state === 'checked') ?? null)
  return {
    title: t('console.goodsFiles.title'),
    data: {
      maySend: mayFile(ctx, 'csv_in'),
      makes: (['csv_out', 'folder_out'] as const).filter((kind) => mayFile(ctx, kind)),
      mostMegabytes: formatCount(language.code, GOODS_FILE_MAX / MEGABYTE),
      mostBytes: GOODS_FILE_MAX,
      columns: TABLE_COLUMNS,
      isWorking: files.some(({ state }) => ['waiting', 'checking', 'taking'].includes(state)),
      files: files.map((file) => rowOf(context, file)),
      chosen: chosen && isIncoming(chosen.kind) ? await lookedAt(context, chosen) : null,
    },
  }
}

function rowOf({ ctx, language, timeZone }: ConsoleContext, file: GoodsFile): FileRow {
  const isOver = file.finishedAt !== null
  return {
    id: file.publicId,
    kind: file.kind,
    state: file.state,
    look: LOOKS[file.state],
    name: file.fileName,
    by: file.by,
    at: formatShortMoment(language.code, file.askedAt, timeZone),
    failure: file.failure,
    percent:
      isOver || file.state === 'checked' || file.steps === 0
        ? null
        : Math.min(100, Math.round((file.step * 100) / file.steps)),
    lines: formatCount(language.code, file.report.lines ?? 0),
    mayCancel: !isOver && mayFile(ctx, file.kind),
    mayTake: file.state === 'done' && !isIncoming(file.kind) && mayTakeAway(ctx, file),
  }
}

async function lookedAt(context: ConsoleContext, file: GoodsFile): Promise<LookedAt> {
  const { report } = file
  const faults = await listFileFaults(context.ctx.db, file.id)
  const made = (report.items ?? 0) + (report.products ?? 0) + (report.brands ?? 0)
  const does = made + (report.changed ?? 0) + (report.suspended ?? 0)
  const up = report.pricesUp ?? 0
  const down = report.pricesDown ?? 0
  return {
    ...rowOf(context, file),
    hash: file.hash ?? '',
    numbers: {
      items: report.items ?? 0,
      products: report.products ?? 0,
      brands: report.brands ?? 0,
      changed: report.changed ?? 0,
      suspended: report.suspended ?? 0,
    },
    prices: up + down > 0 ? { up, down } : null,
    belowCost: report.belowCost ?? 0,
    belowFloor: report.belowFloor ?? 0,
    faultCount: report.faults ?? 0,
    left: report.left ?? 0,
    isMoved: report.isMoved ?? false,
    canTake:
      file.state === 'checked' &&
      does > 0 &&
      (file.kind === 'csv_in' || (report.faults ?? 0) === 0),
    done: file.state === 'done' ? (report.done ?? null) : null,
    faults: faults.slice(0, FAULTS_SHOWN).map((fault, no) => ({
      key: String(no),
      line: fault.line === null ? null : formatCount(context.language.code, fault.line),
      place: fault.place,
      shown: fault.shown,
      text: fault.reason === null ? (fault.why ?? '') : context.t(`error.field.${fault.reason}`),
      why: fault.reason === null || fault.reason !== 'not_allowed' ? null : fault.why,
    })),
  }
}
