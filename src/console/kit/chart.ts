/** A line of a chart. Values are for drawing alone; what is read are the texts. */
export interface Line {
  readonly name: string
  readonly look: 'sales' | 'ink' | 'before' | 'second'
  readonly values: readonly (number | null)[]
  readonly texts: readonly string[]
}

/** Lines over time. */
export interface ChartLines {
  readonly lines: readonly Line[]
  /** When each point begins, as it stands at the axis. */
  readonly labels: readonly string[]
  /** The same where it is read: of the last one it is said that it is not over. */
  readonly moments: readonly string[]
  /** The point that is not over yet; as many as there are points where all are over. */
  readonly running: number
  readonly ticks: readonly { readonly at: number; readonly text: string }[]
  readonly from: number
  readonly to: number
  /** The chart in a sentence. */
  readonly sentence: string
}
