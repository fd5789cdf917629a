import type { z } from 'zod'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { Person } from '#features/people/session/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Language } from '#kernel/language.ts'
import type { LimitClass } from '#platform/http/rate-limiter.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { CallCookies } from './cookies.ts'
import type { Services } from './services.ts'

export type BodyType = 'application/json' | 'multipart/form-data'

/** Who makes a personal call, and what answering may use. */
export interface Caller {
  /** Actor, language and currency are the caller's. */
  readonly ctx: Ctx
  readonly shop: ShopSnapshot
  readonly t: Translate
  readonly language: Language
  readonly currency: Currency
  readonly visitor: Visitor
  readonly person: Person | null
  readonly cookies: CallCookies
  readonly services: Services
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey: string | null
  /** A form of a page that was posted without script. */
  readonly isForm: boolean
  /** The currency named in the call, which `currency` is unless the shop does not sell in it. */
  readonly namedCurrency: string | null
  /** The country that the visitor chose for the shop (ISO 3166-1 alpha-2). */
  readonly chosenCountry: string | null
}

export interface SignedInCaller extends Caller {
  readonly person: Person
}

/**
 * Who may make a call:
 * `anyone`; `signed-in`; `own-hand`: signed in, and over the `token` parameter with a proof in the call itself; `fresh`: signed
 * in with a proof of identity from the last 10 minutes, or with one in the call (`password`, or `proof_code`, a mailed code).
 */
export type Access = 'anyone' | 'signed-in' | 'own-hand' | 'fresh'

/** An answer that goes out as a file instead of an envelope. */
export interface AnswerFile {
  readonly name: string
  readonly body: string | Uint8Array
}

/** A call that depends on who makes it, or changes something. Never kept, never from memory. */
export interface PersonalCall<
  Path extends string = string,
  BodyShape extends z.ZodType = z.ZodType,
  DataShape extends z.ZodType = z.ZodType,
  A extends Access = Access,
  Method extends 'GET' | 'POST' = 'GET' | 'POST',
> {
  /** Below /api: "user/login". */
  readonly path: Path
  readonly method: Method
  readonly summary: string
  readonly description?: string
  readonly access: A
  readonly limit: LimitClass
  /** Of a call with the access `own-hand`: whether this one of it needs the proof. All do by default. */
  readonly needsHand?: (caller: SignedInCaller, body: z.output<BodyShape>) => boolean
  /** What the body of a POST may come as, JSON unless this says otherwise; only a form can hold files. */
  readonly bodyTypes?: readonly BodyType[]
  /** JSON object of a POST, query parameters of a GET. Strict: unknown fields of a body are refused. */
  readonly body: BodyShape
  /** Shape of `data` in the envelope. */
  readonly data: DataShape
  /** A body or query to show. */
  readonly example: Readonly<Record<string, unknown>>
  /** The answer holds something secret and is not kept under an idempotency key. */
  readonly isSecretAnswer?: boolean
  /** Content type of the answer as a file; `isOnly`: it never goes out as an envelope. */
  readonly file?: { readonly type: string; readonly isOnly?: true }
  /** The answer as a file to download, where the caller asked for one. */
  readonly asFile?: (data: z.input<DataShape>, body: z.output<BodyShape>) => AnswerFile | null
  readonly answer: (
    caller: A extends 'anyone' ? Caller : SignedInCaller,
    body: z.output<BodyShape>,
  ) => Promise<z.input<DataShape>>
}

/** Ties a call's parts together, so that what it takes and answers fits the published shapes. */
export function personalCall<
  const Path extends string,
  BodyShape extends z.ZodType,
  DataShape extends z.ZodType,
  const A extends Access,
  const Method extends 'GET' | 'POST',
>(
  call: PersonalCall<Path, BodyShape, DataShape, A, Method>,
): PersonalCall<Path, BodyShape, DataShape, A, Method> {
  return call
}
