import type { z } from 'zod'
import type { READING_CALLS } from './calls.ts'
import type { TRACK_VISIT } from './calls/analysis.ts'
import type { PERSONAL_CALLS } from './personal/calls.ts'

type PersonalCalls = (typeof PERSONAL_CALLS)[number]

/**
 * The wire contract as types, for callers written in TypeScript: path → what it takes, what `data` it answers. The common
 * parameters (`lang, currency_code, deviceType, token`) go with every call and are not listed.
 */
export type ApiCalls = {
  readonly [Call in (typeof READING_CALLS)[number] | typeof TRACK_VISIT as Call['path']]: {
    readonly query: z.input<Call['query']>
    readonly data: z.infer<Call['data']>
  }
} & {
  readonly [Call in Extract<PersonalCalls, { readonly method: 'GET' }> as Call['path']]: {
    readonly query: z.input<Call['body']>
    readonly data: z.output<Call['data']>
  }
}

/** The shape without fields is written so that it can be joined with a proof. */
type BodyOf<Input> =
  Input extends Readonly<Record<string, never>> ? Readonly<Record<never, never>> : Input

/** Calls that are posted: path → what the body takes (with a proof of identity where one may be needed), what `data` it answers. */
export type ApiPosts = {
  readonly [Call in Extract<PersonalCalls, { readonly method: 'POST' }> as Call['path']]: {
    readonly body: BodyOf<z.input<Call['body']>> &
      (Call['access'] extends 'fresh' | 'own-hand'
        ? { readonly password?: string; readonly proof_code?: string }
        : unknown)
    readonly data: z.output<Call['data']>
  }
}
