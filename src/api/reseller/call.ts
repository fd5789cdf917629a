import type { z } from 'zod'
import type { ResellerKey, Scope } from '#features/buying/reseller/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { Services } from '../personal/services.ts'

/** Who looks at goods and prices, and what answering may use. */
export interface BrowsingCaller {
  readonly ctx: Ctx
  readonly shop: ShopSnapshot
  readonly key: Pick<ResellerKey, 'accountId' | 'roleId'>
  readonly language: LanguageCode
  readonly currency: Currency
  readonly t: Translate
  readonly visitor: Visitor
  readonly services: Pick<Services, 'checkAccount'>
}

/** Who makes a reseller's call. */
export interface ResellerCaller extends BrowsingCaller {
  readonly key: ResellerKey
  readonly services: Pick<Services, 'payments' | 'vault' | 'checkAccount'>
}

/** A call that is signed with a key, in the name of its account. */
export interface ResellerCall<
  Path extends string = string,
  BodyShape extends z.ZodObject = z.ZodObject,
  DataShape extends z.ZodType = z.ZodType,
  Caller = ResellerCaller,
> {
  /** Below /api: "reseller/order". */
  readonly path: Path
  readonly method: 'GET' | 'POST'
  readonly scope: Scope
  readonly summary: string
  readonly description: string
  /** JSON object of a POST, query parameters of a GET. */
  readonly body: BodyShape
  readonly data: DataShape
  readonly example: Readonly<Record<string, unknown>>
  readonly answer: (caller: Caller, body: z.output<BodyShape>) => Promise<z.input<DataShape>>
}

/** Ties a call's parts together, so that what it takes and answers fits the published shapes. */
export function resellerCall<
  const Path extends string,
  BodyShape extends z.ZodObject,
  DataShape extends z.ZodType,
  Caller,
>(
  call: ResellerCall<Path, BodyShape, DataShape, Caller>,
): ResellerCall<Path, BodyShape, DataShape, Caller> {
  return call
}
