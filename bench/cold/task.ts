/** What the cold-render process is told (COLD_TASK, as JSON). */
export interface ColdTask {
  readonly databaseUrl: string
  readonly targets: readonly { readonly target: string; readonly currency: string }[]
  readonly rounds: number
  readonly warmUps: number
  readonly resultFile: string
}

/** Processor time for a page in microseconds, medians over the rounds. */
export interface ColdFigures {
  /** All the server does on its own thread, from the target to the bytes: all but compression. */
  readonly servedUs: number
  /** The page's data alone, as JSON: the part before rendering. */
  readonly dataUs: number
  /** `renderToString` of the same trees, their data at hand. */
  readonly plainUs: number
  /** Like served, with the compression (brotli and gzip) on the thread pool, and V8's helpers. */
  readonly allThreadsUs: number
  readonly ratio: number
  readonly allThreadsRatio: number
  /** Of HTML, on a page. */
  readonly characters: number
  /** Product cards on a page. */
  readonly cards: number
  /** Reading the whole catalogue and building the search indexes. */
  readonly snapshotMs: number
}
