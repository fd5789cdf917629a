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
  /** All the server does on its own thread from the target to the answer, without handing the page to the compression and back. */
  readonly uncompressedUs: number
  /** The same with that. */
  readonly servedUs: number
  /** `Buffer.from(renderToString(…))` of the same trees, their data at hand. */
  readonly plainUs: number
  /** A kept page that a change of the catalogue did not change: seen to be the same, and sent as it was. */
  readonly unchangedUs: number
  /** Like served, with the compression (brotli and gzip) on the thread pool, and V8's helpers. */
  readonly allThreadsUs: number
  /** Plain over uncompressed, plain over served. */
  readonly ratio: number
  readonly servedRatio: number
  /** Of HTML, on a page. */
  readonly characters: number
  /** Product cards on a page. */
  readonly cards: number
  /** Reading the whole catalogue and building the search indexes. */
  readonly snapshotMs: number
}
