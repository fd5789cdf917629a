import { paymentMethodsSetting } from '#features/goods/pay-method/schema.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listCountries } from '#features/goods/region/queries.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import { changeRowIn } from '#features/office/setting/commands.ts'
import {
  askAboutService,
  inTurn,
  requireAsker,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'
import { listMethods } from './queries.ts'
import {
  inOrder,
  listedMethods,
  methodTerms,
  ORDER_SUBJECT,
  orderVersion,
  withTerms,
  type MethodTerms,
} from './engine/methods.ts'

export interface MethodChange {
  readonly code: string
  readonly terms: MethodTerms
  /** Of the terms that it was made for. */
  readonly version: string
}

/** Throws, at its field, for terms that nobody could pay under. */
export async function checkTerms(db: Db, terms: MethodTerms): Promise<void> {
  const [currencies, countries] = await Promise.all([listCurrencies(db), listCountries(db)])
  const known = new Set(currencies.map(({ code }) => code))
  const { fee, limits } = terms
  const { min_minor: min, max_minor: max } = limits
  if (fee.minor > 0 && !known.has(fee.currency)) throw fieldError('fee', 'currency_unknown')
  if (min !== null && max !== null && max < min) throw fieldError('limits', 'below_least')
  const hasLimits = min !== null || max !== null
  if (hasLimits && !known.has(limits.currency)) throw fieldError('limits', 'currency_unknown')
  if (terms.currencies?.some((code) => !known.has(code)))
    throw fieldError('currencies', 'currency_unknown')
  const places = new Set(countries.map(({ code }) => code))
  if (terms.countries?.some((code) => !places.has(code)))
    throw fieldError('countries', 'country_unknown')
}

/**
 * Changes a way to pay, or has the change wait wherever somebody else could approve it. Throws 'not_found', at its field for terms that
 * do not do, and 'changed_meanwhile' where they are others by now.
 * @returns the act that waits; null where it is done
 */
export async function changeMethod(
  ctx: OperatorCtx,
  { code, terms, version }: MethodChange,
): Promise<Waits> {
  requirePermission(ctx, 'payment.settings')
  await checkTerms(ctx.db, terms)
  return inTurn(ctx, async (tx, now) => {
    const known = (await listMethods(tx)).methods.find(({ method }) => method.code === code)
    if (!known) throw new AppError('not_found')
    if (known.version !== version) throw new AppError('changed_meanwhile')
    if (await hasAnotherApprover(tx, now, [ctx.operator.name], 'payment.settings'))
      return askAboutService(tx, ctx, {
        kind: 'payment_method',
        subject: code,
        details: { version, before: known.terms, after: terms },
      })
    await putTerms(tx, ctx, now, { code, terms, version })
    await tellOfAlone(tx, ctx, now)
    return null
  })
}

/** Puts all ways to pay in another order. Throws and waits as `changeMethod` does; `codes` names each once. */
export async function orderMethods(
  ctx: OperatorCtx,
  { codes, version }: { readonly codes: readonly string[]; readonly version: string },
): Promise<Waits> {
  requirePermission(ctx, 'payment.settings')
  return inTurn(ctx, async (tx, now) => {
    const known = await listMethods(tx)
    if (known.version !== version) throw new AppError('changed_meanwhile')
    const isComplete =
      codes.length === known.methods.length &&
      known.methods.every(({ method }) => codes.includes(method.code))
    if (!isComplete) throw fieldError('codes', 'not_allowed')
    if (await hasAnotherApprover(tx, now, [ctx.operator.name], 'payment.settings'))
      return askAboutService(tx, ctx, {
        kind: 'payment_method',
        subject: ORDER_SUBJECT,
        details: { version, codes: [...codes] },
      })
    await putOrder(tx, ctx, now, { codes, version })
    await tellOfAlone(tx, ctx, now)
    return null
  })
}

/** What approving it does: what was asked for, of what was there then. Throws 'changed_meanwhile' where that is another by now. */
export async function changeWaitingMethod(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireAsker(tx, act)
  const { subject, details } = act
  const version = String(details['version'])
  if (subject === ORDER_SUBJECT) {
    const listed = details['codes']
    const codes = Array.isArray(listed) ? listed.map(String) : []
    return putOrder(tx, ctx, ctx.now(), { codes, version })
  }
  const terms = methodTerms.safeParse(details['after'])
  if (!terms.success) throw new AppError('changed_meanwhile')
  return putTerms(tx, ctx, ctx.now(), { code: subject, terms: terms.data, version })
}

function putTerms(
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  { code, terms, version }: MethodChange,
): Promise<void> {
  return changeRowIn(tx, ctx, now, paymentMethodsSetting, (row) => {
    const known = listedMethods(row).find(({ method }) => method.code === code)
    if (known?.version !== version) throw new AppError('changed_meanwhile')
    return withTerms(row, code, terms)
  })
}

function putOrder(
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  { codes, version }: { readonly codes: readonly string[]; readonly version: string },
): Promise<void> {
  return changeRowIn(tx, ctx, now, paymentMethodsSetting, (row) => {
    if (orderVersion(listedMethods(row)) !== version) throw new AppError('changed_meanwhile')
    return inOrder(row, codes)
  })
}
