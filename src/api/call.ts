import type { z } from 'zod'
import type { PayProviders } from '#features/goods/pay-method/rules.ts'
import type { ShopView } from '#features/goods/browse/views.ts'

/** What an answer may depend on, beside the query. */
export interface CallView extends ShopView {
  readonly timeZone: string
  /** Origin of the shop: "https://shop.example". */
  readonly publicUrl: string
  /** Of the program. */
  readonly release: string
  /** What ways to pay the shop has set up. */
  readonly payProviders: PayProviders
}

/** What is published of a call. */
export interface CallDescription {
  /** Below /api: "goods/index". */
  readonly path: string
  readonly summary: string
  readonly description?: string
  /** Its own query parameters; the common ones are known. Everything is optional unless answering makes no sense without. */
  readonly query: z.ZodObject
  /** Shape of `data` in the envelope. */
  readonly data: z.ZodType
  /** Whether it answers 404 for a code that names nothing. */
  readonly mayMiss: boolean
  /** A query to try it with. */
  readonly example: Readonly<Record<string, string | number>>
}

/** A call answered from the snapshot alone: the same for every caller of one language and currency. */
export interface ReadingCall<
  Path extends string = string,
  QueryShape extends z.ZodObject = z.ZodObject,
  DataShape extends z.ZodType = z.ZodType,
  Query extends object = never,
> extends CallDescription {
  readonly path: Path
  readonly query: QueryShape
  readonly data: DataShape
  /**
   * Reads the parameters; what cannot be understood means the default, nothing is refused. All that the answer depends on is
   * in its values, for they are the key under which the answer is kept.
   */
  readonly read: (params: URLSearchParams, view: CallView) => Query
  /** At once, or in turns where it is long. Throws AppError 'not_found' for a code that names nothing. */
  readonly answer: (
    view: CallView,
    query: Query,
  ) => z.infer<DataShape> | Promise<z.infer<DataShape>>
  /** Answers to free text are made up at will by anybody: they get a small memory of their own. */
  readonly isFreeText?: (query: Query) => boolean
}

/** Ties a call's parts together, so that the answer must fit the published shape. */
export function readingCall<
  const Path extends string,
  QueryShape extends z.ZodObject,
  DataShape extends z.ZodType,
  Query extends object,
>(
  call: ReadingCall<Path, QueryShape, DataShape, Query>,
): ReadingCall<Path, QueryShape, DataShape, Query> {
  return call
}
