import type { Translate } from '#platform/i18n/messages.ts'
import type { BulkRun } from './queries.ts'
import type { BulkAct, BulkFailure, BulkState } from './rules.ts'

/** A run as it is told to whoever asked for it. */
export interface BulkRunView {
  readonly id: string
  readonly act: BulkAct
  readonly state: BulkState
  readonly count: number
  readonly done: number
  readonly failures: {
    readonly order: string
    readonly why: BulkFailure
    /** The same in their language. */
    readonly text: string
  }[]
}

function textOf(t: Translate, why: BulkFailure): string {
  if (why === 'internal') return t('console.orders.severalFailed')
  return why === 'waits' ? t('console.acts.waits') : t(`error.${why}`)
}

export const bulkView = (t: Translate, { failures, ...run }: BulkRun): BulkRunView => ({
  ...run,
  failures: failures.map(({ order, why }) => ({
    order,
    why,
    text: textOf(t, why),
  })),
})
