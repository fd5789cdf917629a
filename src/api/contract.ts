import type { z } from 'zod'
import type { READING_CALLS } from './calls.ts'
import type { TRACK_VISIT } from './calls/analysis.ts'

/**
 * The wire contract as types, for callers written in TypeScript: path → what it takes, what `data` it answers. The common
 * parameters (`lang, currency_code, deviceType, token`) go with every call and are not listed.
 */
export type ApiCalls = {
  readonly [Call in (typeof READING_CALLS)[number] | typeof TRACK_VISIT as Call['path']]: {
    readonly query: z.input<Call['query']>
    readonly data: z.infer<Call['data']>
  }
}
