import { mayDo, type Operator, type Permission } from '#features/team/operator/rules.ts'
import type { FieldReason } from '#kernel/error.ts'

export const FILE_KINDS = ['csv_in', 'folder_in', 'csv_out', 'folder_out'] as const
export type FileKind = (typeof FILE_KINDS)[number]
export const FILE_STATES = [
  'uploading',
  'waiting',
  'checking',
  'checked',
  'taking',
  'done',
  'failed',
  'cancelled',
] as const
export type FileState = (typeof FILE_STATES)[number]

export const isIncoming = (kind: FileKind): boolean => kind === 'csv_in' || kind === 'folder_in'

/** All of these are needed: goods and their prices are changed by what comes in, and a folder says what goods cost. */
export const FILE_NEEDS: Readonly<Record<FileKind, readonly Permission[]>> = {
  csv_in: ['product.change', 'price.change'],
  folder_in: ['product.change', 'price.change'],
  csv_out: ['product.read', 'export.make'],
  folder_out: ['product.read', 'export.make', 'price.read'],
}

export const mayFile = (ctx: { readonly operator: Operator }, kind: FileKind): boolean =>
  FILE_NEEDS[kind].every((permission) => mayDo(ctx.operator, permission))

/** Whoever takes a file away sees what goods cost where that stands in it. */
export const mayTakeAway = (
  ctx: { readonly operator: Operator },
  { kind, hasCosts }: Pick<GoodsFile, 'kind' | 'hasCosts'>,
): boolean => mayFile(ctx, kind) && (!hasCosts || mayDo(ctx.operator, 'price.read'))

/** Why a file came to nothing; each has a sentence of its own. */
export const FILE_FAILURES = [
  'not_table',
  'no_columns',
  'too_long',
  'not_archive',
  'too_large',
  'forbidden',
  'internal',
] as const
export type FileFailure = (typeof FILE_FAILURES)[number]

/** A file as it is sent, in bytes. */
export const GOODS_FILE_MAX = 64 * 1024 * 1024
/** Lines of a table. */
export const TABLE_LINES_MAX = 200_000
/** Lines that are changed in one transaction. */
export const LINES_A_PART = 1_000
/** A part that others change meanwhile is worked out so often before it is cut in two. */
export const TRIES_OF_PART = 3
/** Faults that are listed; all are counted. */
export const FILE_FAULTS_LISTED = 1_000
/** Files of one operator that are not over. */
export const FILES_OPEN_MOST = 3
/** Files that one operator may send or ask for within a day. */
export const FILES_A_DAY = 100
/** What the audit calls one. */
export const FILE_SENT = 'goods_file'
export const GOODS_FILE_KEPT_DAYS = 7
/** An upload that nobody continues is over after this. */
export const FILE_IDLE_MINUTES = 15
export const GOODS_FILE_SWEEP = 'goods_files'
export const PIECE_BYTES = 1024 * 1024

/** Something wrong with a file: at a line and column of a table, or at a place of a folder. */
export interface FileFault {
  readonly line: number | null
  /** A column's name, or a path inside a folder. */
  readonly place: string
  /** What stands there. */
  readonly shown: string
  readonly reason: FieldReason | null
  /** In plain English, where an import has a sentence for it. */
  readonly why: string | null
}

/** What a look has found, and what came of taking it. Numbers alone: what is not there is 0. */
export interface FileReport {
  readonly lines?: number
  /** New goods. */
  readonly brands?: number
  readonly products?: number
  readonly items?: number
  /** Goods, and rows of a folder, that change. */
  readonly changed?: number
  readonly suspended?: number
  readonly faults?: number
  /** Lines with a fault: of new items they are left out whole, of others all but what is wrong is done. */
  readonly left?: number
  readonly pricesUp?: number
  readonly pricesDown?: number
  readonly belowCost?: number
  readonly belowFloor?: number
  /** Goods that change, by the part of the file. */
  readonly parts?: Readonly<Record<string, number>>
  /** New lines that come to nothing: they are not there afterwards either. */
  readonly lacking?: number
  /** Something has moved since it was looked at: it has been looked at anew. */
  readonly isMoved?: boolean
  readonly done?: {
    readonly made: number
    readonly changed: number
    /** Changes that wait for a second person. */
    readonly waits: number
    /** Lines of which nothing came, or not all. */
    readonly left: number
  }
}

export interface GoodsFile {
  readonly id: string
  readonly publicId: string
  readonly kind: FileKind
  readonly state: FileState
  readonly fileName: string
  readonly mark: '.' | ',' | null
  readonly isOnSale: boolean
  /** What goods cost stands in it, or did; of files that are made. */
  readonly hasCosts: boolean
  readonly operatorId: string
  /** What the token is called that asked for it in their name; null where they did themselves. */
  readonly token: string | null
  /** In whose hands it is; null while it is in nobody's yet. */
  readonly worker: string | null
  /** Name of the operator. */
  readonly by: string
  readonly bytes: number
  readonly pieces: number
  readonly step: number
  readonly steps: number
  readonly report: FileReport
  readonly hash: string | null
  readonly failure: FileFailure | null
  readonly askedAt: Date
  readonly finishedAt: Date | null
}

/** A file that comes to nothing as a whole. */
export class UselessFile extends Error {
  readonly failure: FileFailure
  constructor(failure: FileFailure) {
    super(failure)
    this.failure = failure
  }
}
