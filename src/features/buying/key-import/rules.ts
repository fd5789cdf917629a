import type { Money } from '#kernel/money.ts'
import type { LineFault } from '#features/buying/vault/rules.ts'

export const IMPORT_STATUSES = [
  'uploading',
  'checking',
  'checked',
  'waiting',
  'taking',
  'done',
  'cancelled',
  'failed',
] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** What a line may be beside a key that is new. */
export const IMPORT_FAULTS = [
  'columns',
  'part',
  'date',
  'expired',
  'too_long',
  'known',
  'doubled',
] as const satisfies readonly (LineFault | 'known' | 'doubled')[]
export type ImportFault = (typeof IMPORT_FAULTS)[number]

/** A file, in bytes; a million keys are some thirty million. */
export const FILE_MAX_BYTES = 256 * 1024 * 1024
export const LINES_MAX = 2_500_000
/** Lines that are sealed and stored together, in characters. */
export const CHUNK_CHARACTERS = 96 * 1024
/** A picture in base64, and what stands beside it. */
export const LINE_CHARACTERS_MAX = 1_500_000
/** Faults that are listed; all are counted. */
export const FAULTS_LISTED = 10_000
/** Imports of one operator that are not over. */
export const OPEN_MOST = 10
/** An upload that nobody continues is over after this. */
export const UPLOAD_IDLE_MINUTES = 15
/** What was looked through waits so long for somebody to take it; then its pieces go. */
export const KEPT_HOURS = 72
/** Days that it is kept what became of an import. */
export const IMPORT_DAYS = 90
/** Hours over which imports of one person count together. */
export const COUNTED_HOURS = 24

export interface ImportTerms {
  readonly supplier: string | null
  readonly cost: Money | null
  /** A calendar day, of keys whose line has none. */
  readonly expiresOn: string | null
}

export interface KeyImport extends ImportTerms {
  readonly id: string
  readonly item: string
  readonly itemCode: string
  readonly itemName: string
  readonly brandName: string
  readonly status: ImportStatus
  readonly fileName: string
  readonly bytes: number
  readonly lines: number
  readonly checkedLines: number
  readonly fresh: number
  readonly known: number
  readonly doubled: number
  readonly malformed: number
  readonly expired: number
  readonly takenLines: number
  readonly taken: number
  readonly skipped: number
  readonly batch: string | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly updatedAt: Date
}

/** Whether its pieces are still there, so that it can be taken or cancelled. */
export const isOpen = ({ status }: Pick<KeyImport, 'status'>): boolean =>
  status !== 'done' && status !== 'cancelled' && status !== 'failed'

/** Whether one person's imports of a day, this one among them, need another's approval. What nobody can convert does. */
export function needsApproval(
  minor: bigint | null,
  countedMinor: bigint,
  limitMinor: bigint,
): boolean {
  return minor === null || countedMinor + minor > limitMinor
}
