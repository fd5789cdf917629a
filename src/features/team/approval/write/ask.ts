import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { countOthersWaiting } from '../queries.ts'
import {
  MEASURES,
  NO_MONEY,
  PRICES_WAITING,
  type Act,
  type PaymentKind,
  type PriceKind,
  type ShopActKind,
  type StaffKind,
  type SupplyActKind,
} from '../rules.ts'
import { noteWaiting, type Turn } from './act.ts'

type Subject = Pick<Act, 'subject' | 'details'>

/** Writes down what moves nothing by itself and waits for another person. @returns its public id */
function ask(
  tx: Turn,
  ctx: OperatorCtx,
  asked: Subject & {
    readonly kind: StaffKind | PaymentKind | SupplyActKind | PriceKind | ShopActKind
  },
): Promise<string> {
  requirePermission(ctx, MEASURES[asked.kind].permission)
  const nothing = { accountId: null, orderId: null, money: NO_MONEY, usdMinor: null }
  return noteWaiting(tx, ctx, { ...asked, ...nothing })
}

/** Writes down what would change the team. @returns its public id */
export const askAboutStaff = (
  tx: Turn,
  ctx: OperatorCtx,
  asked: Subject & { readonly kind: StaffKind },
): Promise<string> => ask(tx, ctx, asked)

/** Writes down what would change how the shop is paid, or where it buys. @returns its public id */
export const askAboutService = (
  tx: Turn,
  ctx: OperatorCtx,
  asked: Subject & { readonly kind: PaymentKind | SupplyActKind },
): Promise<string> => ask(tx, ctx, asked)

/** Writes down what would change the shop's own settings, or what buyers agree to. @returns its public id */
export const askAboutShop = (
  tx: Turn,
  ctx: OperatorCtx,
  asked: Subject & { readonly kind: ShopActKind },
): Promise<string> => ask(tx, ctx, asked)

/**
 * Writes down a change of prices that is more than its asker may do alone. Throws 'too_many_waiting' where so many wait already that nobody looks at
 * another one. @returns its public id
 */
export async function askAboutPrices(tx: Turn, ctx: OperatorCtx, asked: Subject): Promise<string> {
  const act = { kind: 'price_change', ...asked } as const
  const waiting = await countOthersWaiting(tx, ctx, act)
  if (waiting.own >= PRICES_WAITING.each || waiting.all >= PRICES_WAITING.all)
    throw new AppError('too_many_waiting')
  return ask(tx, ctx, act)
}
