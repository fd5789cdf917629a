import { LRUCache } from 'lru-cache'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { MobileNumber } from '#platform/mobile-number.ts'
import type { AccountCheck, SupplyProvider, Suppliers } from '#providers/supply/provider.ts'
import { findOperatorOf, listAirtimeSuppliers, type AirtimeSupplier } from './queries.ts'

/** Whose number it is, by who credits it: a code of an operator of ours; null where nobody could tell. */
export type AskOperator = (number: MobileNumber) => Promise<string | null>

/** Whoever types waits: what is not known by then is told by the first digits alone. */
const ANSWERS_WITHIN_MS = 5_000
/** Numbers move seldom, and shoppers type the same one again and again. */
const KEPT_MS = 10 * 60_000
/** A supplier that did not answer is asked again sooner. */
const NOTHING_KEPT_MS = 30_000
const KEPT_MAX = 5_000
/** Suppliers asked about one number, one after the other. */
const ASKED_MAX = 2

interface Known {
  readonly operator: string | null
}

/** What a number was asked for by, and until when that is remembered; in milliseconds since 1970. */
interface Kept {
  readonly asked: Promise<Known>
  readonly until: number
}

/**
 * Asks suppliers for the operator of a number, since numbers move between networks. What was answered is kept for minutes, and one number is
 * asked about once at a time.
 */
export function createDetection(ctx: Ctx, suppliers: Suppliers): AskOperator {
  const kept = new LRUCache<string, Kept>({ max: KEPT_MAX })
  const askAnew = (number: MobileNumber): Promise<Known> => {
    const asked = ask(ctx, suppliers, number)
    const keepFor = (ms: number) =>
      kept.set(number.international, { asked, until: ctx.now().getTime() + ms })
    keepFor(KEPT_MS)
    void asked.then(({ operator }) => operator === null && keepFor(NOTHING_KEPT_MS))
    return asked
  }
  return async (number) => {
    const before = kept.get(number.international)
    // Whoever asks again does not prolong it: numbers move.
    const isKept = before !== undefined && ctx.now().getTime() < before.until
    const known = await withinTime(isKept ? before.asked : askAnew(number))
    return known?.operator ?? null
  }
}

async function ask(ctx: Ctx, suppliers: Suppliers, number: MobileNumber): Promise<Known> {
  try {
    const known = (await listAirtimeSuppliers(ctx.db, number.country, ctx.now())).flatMap(
      (offer) => {
        const provider = suppliers.get(offer.supplier)
        return provider?.capabilities.checksAccounts ? [{ provider, offer }] : []
      },
    )
    for (const { provider, offer } of known.slice(0, ASKED_MAX)) {
      const product = productOf(await askOne(provider, offer, number))
      const operator =
        product === null
          ? null
          : await findOperatorOf(ctx.db, number.country, offer.supplier, product)
      if (operator !== null) return { operator }
    }
  } catch (error) {
    // A number is no word for a log; what failed is.
    ctx.log.warn('the operator of a number was not found out', { error })
  }
  return { operator: null }
}

function askOne(
  provider: SupplyProvider,
  { fields, fixed }: AirtimeSupplier,
  { international, country }: MobileNumber,
): Promise<AccountCheck> {
  return provider.validateAccount({
    kind: 'recharge',
    product: '',
    quantity: 1,
    face: null,
    fields: { country, ...fixed, [fields[PHONE_FIELD] ?? PHONE_FIELD]: international },
  })
}

const productOf = (check: AccountCheck) => (check.kind === 'valid' ? check.product : null)

function withinTime(asked: Promise<Known>): Promise<Known | null> {
  const { promise, resolve } = Promise.withResolvers<Known | null>()
  const timer = setTimeout(() => resolve(null), ANSWERS_WITHIN_MS)
  void asked.then(resolve)
  return promise.finally(() => clearTimeout(timer))
}
