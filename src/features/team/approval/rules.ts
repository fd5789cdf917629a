import type { Money } from '#kernel/money.ts'
import {
  A_DAYS_WORTH,
  limitOf,
  totalLimitOf,
  type LimitedPermission,
  type Powers,
} from '#features/team/operator/rules.ts'

/** What of an operator's work moves money, or lets goods of value go. */
const MONEY_KINDS = [
  'refund',
  'case',
  'held_money',
  'unit_failure',
  'store_credit',
  'bank_receipt',
  'bank_return',
  'stray_return',
  'stray_close',
  'difference_book',
  'difference_close',
  'hold_release',
  'key_import',
  'replacement',
  'doubt_failure',
  'hand_delivery',
  'late_accept',
  'short_accept',
  'stray_match',
] as const
export type MoneyKind = (typeof MONEY_KINDS)[number]

/** What changes who may do what, or lets keys out. It has no amount, and waits wherever somebody else could approve it. */
export const STAFF_KINDS = [
  'staff_invite',
  'staff_role',
  'role_change',
  'factor_reset',
  'key_export',
] as const
export type StaffKind = (typeof STAFF_KINDS)[number]

/** What changes how the shop is paid. It has no amount either, and waits as what changes the team does. */
export const PAYMENT_KINDS = ['payment_service', 'payment_method'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** What moves prices by more than its asker may: how far is counted in shares, not in amounts (`goods/price-limit`). */
export const PRICE_KINDS = ['price_change'] as const
export type PriceKind = (typeof PRICE_KINDS)[number]

/** What changes where the shop buys. It waits likewise. */
export const SUPPLY_KINDS = ['supplier_service'] as const
export type SupplyActKind = (typeof SUPPLY_KINDS)[number]

/** What leads word of the shop elsewhere, changes what takes two people, or what buyers agree to. It waits likewise. */
export const SHOP_KINDS = ['shop_setting', 'legal_text'] as const
export type ShopActKind = (typeof SHOP_KINDS)[number]

export const ACT_KINDS = [
  ...MONEY_KINDS,
  ...STAFF_KINDS,
  ...PAYMENT_KINDS,
  ...PRICE_KINDS,
  ...SUPPLY_KINDS,
  ...SHOP_KINDS,
] as const
export type ActKind = (typeof ACT_KINDS)[number]

/** Which of the shop's limits holds: for what is given away, for money that is noted and orders that are let go, or for keys that come in. */
export type ShopLimit = 'given' | 'noted' | 'imported'

interface Measure {
  /** What whoever asks is limited in, and whoever approves must have. */
  readonly permission: LimitedPermission
  readonly shopLimit: ShopLimit
}

const STAFF = { permission: 'staff.manage', shopLimit: null } as const
const PAYING = { permission: 'payment.settings', shopLimit: null } as const
const PRICING = { permission: 'price.change', shopLimit: null } as const
const SUPPLYING = { permission: 'supplier.change', shopLimit: null } as const
const RUNNING = { permission: 'shop.manage', shopLimit: null } as const

export const MEASURES: Readonly<
  Record<MoneyKind, Measure> &
    Record<StaffKind, typeof STAFF> &
    Record<PaymentKind, typeof PAYING> &
    Record<PriceKind, typeof PRICING> &
    Record<SupplyActKind, typeof SUPPLYING> &
    Record<ShopActKind, typeof RUNNING>
> = {
  refund: { permission: 'order.refund', shopLimit: 'given' },
  case: { permission: 'order.refund', shopLimit: 'given' },
  held_money: { permission: 'order.refund', shopLimit: 'given' },
  unit_failure: { permission: 'order.refund', shopLimit: 'given' },
  store_credit: { permission: 'shopper.credit', shopLimit: 'given' },
  bank_receipt: { permission: 'payment.note', shopLimit: 'noted' },
  bank_return: { permission: 'payment.note', shopLimit: 'noted' },
  stray_return: { permission: 'payment.note', shopLimit: 'noted' },
  stray_close: { permission: 'payment.note', shopLimit: 'noted' },
  difference_book: { permission: 'payment.note', shopLimit: 'noted' },
  difference_close: { permission: 'payment.note', shopLimit: 'noted' },
  hold_release: { permission: 'order.decide', shopLimit: 'noted' },
  key_import: { permission: 'key.import', shopLimit: 'imported' },
  staff_invite: STAFF,
  staff_role: STAFF,
  role_change: STAFF,
  factor_reset: STAFF,
  key_export: STAFF,
  replacement: { permission: 'order.refund', shopLimit: 'given' },
  doubt_failure: { permission: 'order.refund', shopLimit: 'given' },
  hand_delivery: { permission: 'order.deliver', shopLimit: 'noted' },
  // Full money that came late is noted; what is lacking of it is given.
  late_accept: { permission: 'order.decide', shopLimit: 'noted' },
  short_accept: { permission: 'order.refund', shopLimit: 'given' },
  stray_match: { permission: 'payment.note', shopLimit: 'noted' },
  payment_service: PAYING,
  payment_method: PAYING,
  price_change: PRICING,
  supplier_service: SUPPLYING,
  shop_setting: RUNNING,
  legal_text: RUNNING,
}

export const isAboutPayment = (kind: ActKind): kind is PaymentKind =>
  PAYMENT_KINDS.some((known) => known === kind)

export const isAboutPrices = (kind: ActKind): kind is PriceKind =>
  PRICE_KINDS.some((known) => known === kind)

export const isAboutSupply = (kind: ActKind): kind is SupplyActKind =>
  SUPPLY_KINDS.some((known) => known === kind)

export const isAboutShop = (kind: ActKind): kind is ShopActKind =>
  SHOP_KINDS.some((known) => known === kind)

/** Whether an act moves nothing by itself: it changes who may do what, how the shop is paid, what things cost, where it buys, or what the shop itself says. */
export const hasNoAmount = (
  kind: ActKind,
): kind is StaffKind | PaymentKind | PriceKind | SupplyActKind | ShopActKind =>
  MEASURES[kind].shopLimit === null

/** What an act without an amount carries in place of one. */
export const NO_MONEY: Money = { minor: 0n, currency: 'USD' }

export const kindsOf = (limit: ShopLimit): readonly ActKind[] =>
  MONEY_KINDS.filter((kind) => MEASURES[kind].shopLimit === limit)

/** What lets no value go: money that comes in is noted, a note is closed, what is paid for goes on, keys come in. */
const GIVES_NOTHING: readonly ActKind[] = [
  'bank_receipt',
  'stray_close',
  'stray_match',
  'difference_book',
  'difference_close',
  'hold_release',
  'key_import',
]

/** Kinds by which an operator gives value, whatever the means: they count together, within a day and for one order. */
export const GIVING_KINDS: readonly ActKind[] = MONEY_KINDS.filter(
  (kind) => !GIVES_NOTHING.includes(kind),
)

export type ActStatus = 'given' | 'waiting' | 'approved' | 'refused' | 'ended'

export interface Act {
  readonly id: string
  readonly publicId: string
  readonly kind: ActKind
  readonly status: ActStatus
  /** A refund, a case, an import, an order, a unit, an address, a line of the bank's statement, a payment, a difference, a payment service, a supplier, a setting, a text. */
  readonly subject: string
  readonly accountId: string | null
  readonly orderId: string | null
  /** Nothing where it has no amount. */
  readonly money: Money
  /** In US cents; null where there was no rate. */
  readonly usdMinor: bigint | null
  /** What it counts, in the shop's currency of when it was asked for; null where there was no rate, and of releases that counted in US cents. */
  readonly counts: Money | null
  /** What it takes to do it. */
  readonly details: Readonly<Record<string, unknown>>
  readonly askedBy: string
  readonly askedAt: Date
  readonly decidedBy: string | null
}

/** So many changes of prices wait at the same time: of one person, and of all. Each may be of thousands of goods. */
export const PRICES_WAITING = { each: 20, all: 100 } as const

/** Hours that limits look back over. */
export const COUNTED_HOURS = 24
/** Hours in which an act can be approved. A refund has no end: its units are kept back until somebody decides. */
export const APPROVED_WITHIN_HOURS = 48
/** An amount of a currency of its own, or so many of what stands for a dollar in the shop's. */
export type Threshold = Money | { readonly units: bigint }

/** Above what a second person is needed, whatever the role, where the shop says nothing else. */
export const SECOND_PERSON_UNITS = { given: 100n, noted: 500n, imported: 10_000n } as const

/** What somebody answers for in the hours that count, in minor units of the shop's currency: given alone, or approved. */
export interface Counted {
  /** To the same account, or about the same thing where no account is known, by this permission. */
  readonly toSame: bigint
  /** To everybody, by this permission. */
  readonly toAll: bigint
  /** To the same, alone and by whatever permission of the same limit of the shop. */
  readonly aloneToSame: bigint
  /** To everybody, by whatever means. */
  readonly given: bigint
  /** For the same order, by whatever means and whenever; nothing where it is about none. */
  readonly forOrder: bigint
}

/** What an act is to limits: its kind, and what it counts in minor units of the shop's currency; null where nobody can convert it. */
export interface Measured {
  readonly kind: ActKind
  readonly minor: bigint | null
}

/** Whether an act, with what is counted already, is more than the role of who answers for it allows. What nobody can convert is. */
export function isAboveRole(
  operator: Powers,
  { kind, minor }: Measured,
  counted: Omit<Counted, 'aloneToSame'>,
): boolean {
  if (hasNoAmount(kind)) return false
  const isAbove = (sum: bigint, limit: bigint | null) =>
    limit !== null && (minor === null || sum + minor > limit)
  const limit = limitOf(operator, MEASURES[kind].permission)
  const days = limit === null ? null : limit * A_DAYS_WORTH
  if (isAbove(counted.toSame, limit) || isAbove(counted.toAll, days)) return true
  return (
    GIVING_KINDS.includes(kind) &&
    (isAbove(counted.given, totalLimitOf(operator, 'day')) ||
      isAbove(counted.forOrder, totalLimitOf(operator, 'order')))
  )
}

/** Whether an act waits for another person: it is more than the role allows, or than the shop allows anybody alone. */
export function needsSecondPerson(
  operator: Powers,
  act: Measured,
  counted: Counted,
  shopLimitMinor: bigint,
): boolean {
  return (
    act.minor === null ||
    counted.aloneToSame + act.minor > shopLimitMinor ||
    isAboveRole(operator, act, counted)
  )
}

/** An operator's account, as far as it tells whose hand is behind it. */
export interface Hand {
  readonly actor: string
  /** Null where a release made it that did not say. */
  readonly createdBy: string | null
  readonly createdAt: Date
  /** Null likewise. */
  readonly passwordSetBy: string | null
  readonly passwordSetAt: Date | null
}

/** Hours after which an account that one made is another's, once its owner has chosen the password. */
export const APART_AFTER_HOURS = 24
const HOUR_MS = 3_600_000

/** 'knows_password': one chose the other's password. 'just_made': one made the other's account, or its password was chosen, lately. */
export type Bond = 'knows_password' | 'just_made'

/**
 * Why two accounts may be one person's; null where they count as two. Whoever chose a password can act by it; and whoever made an
 * account can choose its password anew in its name, which needs a day in which others may notice.
 */
export function bondBetween(one: Hand, other: Hand, now: Date): Bond | null {
  return bondOf(one, other, now) ?? bondOf(other, one, now)
}

function bondOf(account: Hand, maker: Hand, now: Date): Bond | null {
  if (account.passwordSetBy === maker.actor) return 'knows_password'
  if (account.createdBy !== null && account.createdBy !== maker.actor) return null
  const isLate = (at: Date) => now.getTime() - at.getTime() < APART_AFTER_HOURS * HOUR_MS
  return isLate(account.createdAt) || (account.passwordSetAt && isLate(account.passwordSetAt))
    ? 'just_made'
    : null
}
