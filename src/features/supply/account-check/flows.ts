import { LRUCache } from 'lru-cache'
import { readFields } from '#features/buying/offer/queries.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Brand, Product } from '#features/goods/catalogue/rules.ts'
import { suppliersFields } from '#features/supply/routing/rules.ts'
import { AppError, type FieldProblem } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import { sha256 } from '#platform/secrets.ts'
import type { SupplyOrder, SupplyProvider, Suppliers } from '#providers/supply/provider.ts'
import { createSupplierAsking } from './flow/asking.ts'
import { findCheckOffer, findUnitLine, type CheckOffer } from './queries.ts'
import { askedFields, checkedBy, problemOf, UNCHECKED, type CheckedAccount } from './rules.ts'

const REMEMBERED = 20_000

/** An account as it is kept with a line: its fields are right by the rules of the product. */
export interface AccountToCheck {
  readonly product: Product
  /** Id of the item. */
  readonly item: string
  readonly fields: Readonly<Record<string, string>>
  /** Of goods that are sold at any: what is asked for, in their face currency. */
  readonly amount: Money | null
}

type CheckCtx = Pick<Ctx, 'db' | 'now' | 'log'>

/** Asks the supplier of an item about an account, outside of any transaction. Never throws for what a supplier does. */
export type CheckAccount = (ctx: CheckCtx, account: AccountToCheck) => Promise<CheckedAccount>

/**
 * Answers are remembered for minutes, by a hash that tells nobody of whom; who asks at once for the same is answered by one call. A supplier
 * that hangs holds its own places and nobody for longer than five seconds.
 */
export function createAccountChecks(suppliers: Suppliers): CheckAccount {
  // A supplier whose settings are entered anew is another one, with places of its own.
  const asking = new WeakMap<SupplyProvider, ReturnType<typeof createSupplierAsking>>()
  const askingOf = (provider: SupplyProvider | undefined) => {
    if (!provider) return undefined
    const ask = asking.get(provider) ?? createSupplierAsking(provider)
    asking.set(provider, ask)
    return ask
  }
  const known = new LRUCache<string, CheckedAccount>({ max: REMEMBERED })
  const underWay = new Map<string, Promise<CheckedAccount>>()
  return async (ctx, { product, item, fields, amount }) => {
    const { brand } = product
    const isAsked = brand.delivery === 'direct_charge' && brand.accountCheck !== 'none'
    const codes = isAsked
      ? [...suppliers].flatMap(([code, { capabilities }]) =>
          capabilities.checksAccounts ? [code] : [],
        )
      : []
    if (codes.length === 0) return UNCHECKED
    const offer = await findCheckOffer(ctx.db, item, codes, ctx.now())
    const ask = offer && askingOf(suppliers.get(offer.supplier))
    if (!ask) return UNCHECKED
    // Of one that takes no amount, every amount has the same answer.
    const isOfAmount = suppliers.get(offer.supplier)?.capabilities.checksAmounts === true
    const order = orderOf(offer, fields, isOfAmount ? amount : null)
    const key = keyOf(offer.supplier, order)
    const before = known.get(key)
    if (before && before.state !== 'unchecked' && ctx.now() < before.until)
      return shownOf(brand, before)
    const asked =
      underWay.get(key) ??
      ask(ctx, order)
        .then((told) => {
          const checked = checkedBy(told, ctx.now())
          if (checked.state !== 'unchecked') known.set(key, checked)
          return checked
        })
        .finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return shownOf(brand, await asked)
  }
}

/** What a supplier calls a phone is its operator. */
function shownOf({ recharge }: Brand, checked: CheckedAccount): CheckedAccount {
  return checked.state === 'valid' && recharge ? { ...checked, name: null } : checked
}

function orderOf(
  offer: CheckOffer,
  fields: AccountToCheck['fields'],
  amount: Money | null,
): SupplyOrder {
  return {
    kind: offer.kind,
    product: offer.product,
    quantity: 1,
    face: amount ?? offer.face,
    fields: suppliersFields(offer, fields),
  }
}

function keyOf(supplier: string, { product, face, fields }: SupplyOrder): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const asked = [supplier, product, face && [face.minor.toString(), face.currency], sorted]
  return sha256(JSON.stringify(asked)).toString('base64')
}

/** A line that is to be ordered, and how it is named in refusals: `lines.0`, or nothing. */
export interface AccountLine extends AccountToCheck {
  readonly at: string
  /** Its place in the order. */
  readonly line: number
}

export interface JudgedAccounts {
  readonly problems: readonly FieldProblem[]
  /** What suppliers call them, by the line's place. */
  readonly names: ReadonlyMap<number, string>
}

/**
 * What is wrong with the accounts of lines, before they are ordered: those that a supplier says are wrong, and where goods are sold
 * checked alone, those that nobody could be asked about.
 */
export async function judgeAccounts(
  ctx: CheckCtx,
  check: CheckAccount,
  lines: readonly AccountLine[],
): Promise<JudgedAccounts> {
  const checked = await Promise.all(
    lines.map(async (line) => ({ line, told: await check(ctx, line) })),
  )
  return {
    problems: checked.flatMap(({ line, told }): FieldProblem[] => {
      const problem = problemAt(line.product, told)
      const before = line.at === '' ? '' : `${line.at}.`
      return problem ? [{ field: `${before}fields.${problem.key}`, reason: problem.reason }] : []
    }),
    names: new Map(
      checked.flatMap(({ line, told }) =>
        told.state === 'valid' && told.name !== null ? [[line.line, told.name] as const] : [],
      ),
    ),
  }
}

/**
 * The same for a line of an order that waits for its buyer's correction: it is paid for, so that one nobody could be asked about is tried.
 * What breaks the product's own rules is left to whoever takes the correction. Throws 'check_fields'.
 */
export async function judgeCorrection(
  ctx: CheckCtx,
  shop: ShopSnapshot,
  check: CheckAccount,
  { accountId, order, unit, fields }: Correction,
): Promise<JudgedAccounts['names']> {
  const found = await findUnitLine(ctx.db, accountId, order, unit)
  const product = found && findProduct(shop, found.product)
  const read = product && readFields(shop, product, fields)
  if (!found || !product || !read || 'problems' in read) return new Map()
  const told = await check(ctx, {
    product,
    item: found.item,
    fields: read.values,
    amount: found.amount,
  })
  if (told.state === 'invalid') {
    const { key, reason } = problemOf(told.fault, askedFields(product))
    throw new AppError('check_fields', {}, { fields: [{ field: `fields.${key}`, reason }] })
  }
  const isNamed = told.state === 'valid' && told.name !== null
  return new Map(isNamed ? [[found.line, told.name]] : [])
}

interface Correction {
  readonly accountId: string
  /** Public ids. */
  readonly order: string
  readonly unit: string
  readonly fields: Readonly<Record<string, string>>
}

/** What keeps an account from being bought for; null where nothing does. */
export function problemAt(product: Product, told: CheckedAccount) {
  const fields = askedFields(product)
  if (told.state === 'invalid') return problemOf(told.fault, fields)
  return told.state === 'unchecked' && product.brand.accountCheck === 'must' && fields[0]
    ? { key: fields[0].key, reason: 'account_unchecked' as const }
    : null
}
