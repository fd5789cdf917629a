import { readSetting } from '#features/base/setting/queries.ts'
import { acceptRateIn, setRateByHandIn } from '#features/goods/currency/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { rateText, US_DOLLAR } from '#features/goods/currency/rules.ts'
import {
  addRuleIn,
  endRuleIn,
  setCurrencyTermsIn,
  setLevelPriceIn,
  setOwnPriceIn,
} from '#features/goods/price/commands.ts'
import { listRules } from '#features/goods/price/queries.ts'
import type { MarginRule } from '#features/goods/price/rules.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { changeRowIn } from '#features/office/setting/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { contradicts } from '../rules.ts'
import type { PriceChange } from '../schema.ts'
import type { RateState } from '../views.ts'

export interface Applied {
  readonly undo: PriceChange | null
  readonly rate: RateState | null
  readonly rule: string | null
}

type Of<Path extends PriceChange['path']> = Extract<PriceChange, { readonly path: Path }>

/**
 * Makes a change of prices, in a transaction that keeps it or, where it is only tried, takes it back. Throws 'check_fields' at what the shop does not
 * have or what contradicts itself, 'not_found' for what is over.
 * @param isTried a rule that is to begin later begins now, so that what it would do is seen
 */
export async function applyChange(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: PriceChange,
  isTried: boolean,
): Promise<Applied> {
  switch (change.path) {
    case 'rule':
      return makeRule(tx, ctx, now, change, isTried)
    case 'rule_end':
      return endRule(tx, ctx, now, change)
    case 'floor':
    case 'level':
      return setTerms(tx, ctx, now, change)
    case 'currency':
      return setCurrency(tx, ctx, now, change)
    case 'own':
      return setOwn(tx, ctx, now, change)
    case 'level_price':
      return setLevelPrice(tx, ctx, now, change)
    case 'rate':
    case 'rate_accept':
      return setRate(tx, ctx, now, change)
  }
}

const done = (undo: PriceChange | null): Applied => ({ undo, rate: null, rule: null })

async function makeRule(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: Of<'rule'>,
  isTried: boolean,
): Promise<Applied> {
  const { brand, supplier, region, currency, replaces } = change
  const from = change.valid_from === null ? null : new Date(change.valid_from)
  if (from !== null && from < now) throw fieldError('valid_from', 'date_passed')
  const rules = await listRules(tx)
  const replaced = rules.find(({ id }) => id === replaces) ?? null
  if (replaces !== null && (replaced === null || replaced.validUntil !== null))
    throw new AppError('changed_meanwhile')
  const asked = { brand, supplier, region, currency, validFrom: from ?? now, replaces }
  if (contradicts(rules, asked)) throw fieldError('basis_points', 'rule_overlaps')
  const begins = isTried ? null : from
  if (replaces !== null) await endRuleIn(tx, ctx, now, replaces, begins ?? now)
  const rule = await addRuleIn(tx, ctx, now, {
    brand,
    supplier,
    region,
    currency,
    basisPoints: change.basis_points,
    validFrom: begins,
  })
  const undo: PriceChange = replaced
    ? { ...ruleOf(replaced), valid_from: change.valid_from, replaces: rule }
    : { path: 'rule_end', id: rule }
  return { undo, rate: null, rule }
}

function ruleOf(rule: MarginRule): Of<'rule'> {
  return {
    path: 'rule',
    brand: rule.brand,
    supplier: rule.supplier,
    region: rule.region,
    currency: rule.currency,
    basis_points: rule.basisPoints,
    valid_from: null,
    replaces: null,
  }
}

async function endRule(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { id }: Of<'rule_end'>,
): Promise<Applied> {
  const rule = (await listRules(tx)).find((one) => one.id === id)
  await endRuleIn(tx, ctx, now, id, now)
  if (!rule) return done(null)
  const later = rule.validFrom > now ? rule.validFrom.toISOString() : null
  return done({ ...ruleOf(rule), valid_from: later })
}

type Row = Readonly<Record<string, unknown>>
const rowOf = (value: unknown): Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
const without = (row: Row, key: string): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== key))

async function setTerms(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: Of<'floor'> | Of<'level'>,
): Promise<Applied> {
  const terms = await readSetting(tx, priceTermsSetting)
  if (change.path === 'floor') {
    await changeRowIn(tx, ctx, now, priceTermsSetting, (row) =>
      change.floor ? { ...rowOf(row), floor: change.floor } : without(rowOf(row), 'floor'),
    )
    const { floor } = terms
    return done({
      path: 'floor',
      floor: floor && { basis_points: floor.basisPoints, after_fees: floor.isAfterFees },
    })
  }
  const key = String(change.level)
  await changeRowIn(tx, ctx, now, priceTermsSetting, (row) => {
    const levels = rowOf(rowOf(row)['levels'])
    const own = { ...rowOf(levels[key]), off_basis_points: change.off_basis_points }
    return { ...rowOf(row), levels: { ...levels, [key]: own } }
  })
  return done({ ...change, off_basis_points: terms.levels[key] ?? 0 })
}

async function setCurrency(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: Of<'currency'>,
): Promise<Applied> {
  const { currency: code, charm } = change
  const known = (await listCurrencies(tx)).find((one) => one.code === code)
  if (!known) throw fieldError('currency', 'currency_unknown')
  if (charm && charm.ending_minor >= charm.every_minor)
    throw fieldError('charm.ending_minor', 'not_allowed')
  if (change.is_offered === false && code === US_DOLLAR.code)
    throw fieldError('is_offered', 'not_allowed')
  const terms = await readSetting(tx, priceTermsSetting)
  const before = terms.charms[code]
  await setCurrencyTermsIn(tx, ctx, now, {
    code,
    terms: {
      marginBasisPoints: change.margin_basis_points,
      roundingIncrement: BigInt(change.rounding_increment),
      roundingMode: change.rounding_mode,
      isOffered: change.is_offered,
    },
  })
  // A shop that has never set one has no such row, and needs none.
  if (charm || before)
    await changeRowIn(tx, ctx, now, priceTermsSetting, (row) => {
      const charms = without(rowOf(rowOf(row)['charm']), code)
      return { ...rowOf(row), charm: charm ? { ...charms, [code]: charm } : charms }
    })
  return done({
    path: 'currency',
    currency: code,
    margin_basis_points: known.marginBasisPoints,
    rounding_increment: known.roundingIncrement.toString(),
    rounding_mode: known.roundingMode === 'up' ? 'up' : 'half_up',
    ...(change.is_offered === undefined ? {} : { is_offered: known.isCheckout }),
    charm: before
      ? { ending_minor: Number(before.endingMinor), every_minor: Number(before.everyMinor) }
      : null,
  })
}

async function assertCurrency(tx: Tx, code: string, field: string): Promise<void> {
  const known = await listCurrencies(tx)
  if (!known.some((one) => one.code === code)) throw fieldError(field, 'currency_unknown')
}

async function setOwn(tx: Tx, ctx: OperatorCtx, now: Date, change: Of<'own'>): Promise<Applied> {
  const { item: code, currency, minor } = change
  await assertCurrency(tx, currency, 'currency')
  const row = await tx
    .selectFrom('item')
    .select('own_prices')
    .where('code', '=', code)
    .executeTakeFirst()
  const former = rowOf(row?.own_prices)[currency]
  await setOwnPriceIn(tx, ctx, now, {
    code,
    currency,
    minor: minor === null ? null : BigInt(minor),
  })
  return done({ ...change, minor: typeof former === 'string' ? former : null })
}

async function setLevelPrice(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: Of<'level_price'>,
): Promise<Applied> {
  const { item: code, level, price } = change
  if (price) await assertCurrency(tx, price.currency, 'price.currency')
  const former = await tx
    .selectFrom('item_level_price as l')
    .innerJoin('item as i', 'i.id', 'l.item')
    .select(['l.price_minor', 'l.price_currency'])
    .where('i.code', '=', code)
    .where('l.level', '=', level)
    .executeTakeFirst()
  const set = price && { minor: BigInt(price.minor), currency: price.currency }
  await setLevelPriceIn(tx, ctx, now, { code, level, price: set })
  return done({
    ...change,
    price: former
      ? { minor: former.price_minor.toString(), currency: former.price_currency }
      : null,
  })
}

async function setRate(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  change: Of<'rate'> | Of<'rate_accept'>,
): Promise<Applied> {
  const before = await listCurrencies(tx)
  const undoOf = (code: string): PriceChange | null => {
    const perUsd = before.find((one) => one.code === code)?.perUsd
    return perUsd ? { path: 'rate', currency: code, per_usd: rateText(perUsd) } : null
  }
  if (change.path === 'rate') {
    const { currency, per_usd: perUsd } = change
    const isKnown = before.some(({ code }) => code === currency) && currency !== US_DOLLAR.code
    if (!isKnown) throw fieldError('currency', 'currency_unknown')
    const rate = await setRateByHandIn(tx, ctx, now, { currency, perUsd })
    return { undo: rate === 'in_force' ? undoOf(currency) : null, rate, rule: null }
  }
  const quote = await tx
    .selectFrom('rate_quote')
    .select('currency')
    .where('id', '=', change.id)
    .executeTakeFirst()
  const rate = await acceptRateIn(tx, ctx, now, change.id)
  return { undo: quote ? undoOf(quote.currency) : null, rate, rule: null }
}
