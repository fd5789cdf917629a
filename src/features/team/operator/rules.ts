import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'

/** What an operator may be allowed to do: `<subject>.<act>`. The console's design names them. */
export const PERMISSIONS = [
  'order.read',
  'order.deliver',
  'order.refund',
  'order.decide',
  'case.read',
  'case.decide',
  'approval.decide',
  'shopper.read',
  'shopper.credit',
  'shopper.change',
  'product.read',
  'product.change',
  'key.read',
  'key.import',
  'key.see',
  'key.export',
  'price.read',
  'price.change',
  'supplier.read',
  'supplier.change',
  'payment.read',
  'payment.note',
  'payment.settings',
  'ledger.read',
  'export.make',
  'export.personal',
  'promotion.read',
  'content.read',
  'content.change',
  'staff.read',
  'staff.manage',
  'system.read',
  'system.manage',
  'shop.manage',
  'reseller.read',
  'reseller.manage',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const ROLES = ['owner', 'catalogue', 'orders', 'support', 'finance', 'read-only'] as const
export type OperatorRole = (typeof ROLES)[number]

const READING = PERMISSIONS.filter((permission) => permission.endsWith('.read'))

const GRANTED: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  owner: PERMISSIONS,
  catalogue: [
    'order.read',
    'product.read',
    'product.change',
    'key.read',
    'key.import',
    'price.read',
    'price.change',
    'supplier.read',
    'promotion.read',
    'content.read',
    'content.change',
  ],
  orders: [
    'order.read',
    'order.deliver',
    'order.refund',
    'order.decide',
    'case.read',
    'case.decide',
    'approval.decide',
    'shopper.read',
    'shopper.change',
    'product.read',
    'key.read',
    'supplier.read',
    'payment.read',
  ],
  support: [
    'order.read',
    'order.refund',
    'case.read',
    'case.decide',
    'approval.decide',
    'shopper.read',
    'shopper.credit',
    'shopper.change',
    'product.read',
  ],
  finance: [
    'order.read',
    'order.refund',
    'order.decide',
    'case.read',
    'approval.decide',
    'shopper.read',
    'shopper.credit',
    'product.read',
    'price.read',
    'supplier.read',
    'supplier.change',
    'payment.read',
    'payment.note',
    'payment.settings',
    'ledger.read',
    'export.make',
    'export.personal',
  ],
  'read-only': READING,
}

/** By what money goes out, is noted, or goods are let go: what these move is limited. */
export const LIMITED_PERMISSIONS = [
  'order.refund',
  'order.decide',
  'order.deliver',
  'shopper.credit',
  'payment.note',
  'key.import',
] as const satisfies readonly Permission[]
export type LimitedPermission = (typeof LIMITED_PERMISSIONS)[number]

/** What a role may move for one shopper within a day, in hundredths of what stands for a dollar in the shop's currency; the owner has no limit. */
const LIMITS: Readonly<
  Partial<Record<OperatorRole, Readonly<Partial<Record<LimitedPermission, bigint>>>>>
> = {
  orders: { 'order.refund': 10_000n, 'order.decide': 50_000n, 'order.deliver': 50_000n },
  support: { 'order.refund': 2_000n, 'shopper.credit': 10_000n },
  finance: {
    'order.refund': 50_000n,
    'order.decide': 50_000n,
    'shopper.credit': 50_000n,
    'payment.note': 50_000n,
  },
}

/** What limits hold for that count all that an operator gives, by whatever means: within a day, and for one order. */
export const TOTAL_LIMITS = ['day', 'order'] as const
export type TotalLimit = (typeof TOTAL_LIMITS)[number]

/** What a role of the shop's own allows. */
export interface OwnRole {
  /** As people read it. */
  readonly name: string
  readonly permissions: readonly Permission[]
  /** Minor units of the shop's currency for one shopper within a day; null for no limit. */
  readonly limits: Readonly<Partial<Record<LimitedPermission, bigint | null>>>
  /** The same by whatever means; what is not said follows from the limits of single permissions. */
  readonly totals?: Readonly<Partial<Record<TotalLimit, bigint | null>>>
  /** Hundredths of a percent by which one person may lower or raise a price within a week; null for no limit, absent for the usual one. */
  readonly priceLimit?: number | null
}

/** A role, and what it allows where it is the shop's own. */
export interface Powers {
  readonly role: string
  /** Null or absent for a role of the program. */
  readonly own?: OwnRole | null
  /** Minor units of the shop's currency that stand for a dollar in limits of the program's roles; absent where it sells in US dollars. */
  readonly unit?: bigint
}

/** Cents of a dollar. */
const USUAL_UNIT = 100n

/** Who runs the shop, as far as commands care. */
export interface Operator extends Powers {
  readonly id: string
  /** Given once and for ever: the audit trail quotes it. */
  readonly name: string
  /** What the token that speaks for them was given; absent or null for all that they may do. */
  readonly scopes?: readonly string[] | null
  /** What that token is called where it is listed. */
  readonly token?: string
  /** That token speaks for them over the network, and not at the machine. */
  readonly isByNetwork?: true
}

export const OPERATOR_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/
/** Actors of the audit trail that are nobody. */
const RESERVED = new Set(['system', 'shell'])
export const isOperatorName = (name: string) => OPERATOR_NAME.test(name) && !RESERVED.has(name)

export const PASSWORD_MIN = 12
const PASSWORD_MAX = 128

/** What the seed of an operator's authenticator app is sealed for. */
export const SEAL = 'operator-factor'

/** Why a password cannot be an operator's; null when it can. */
export function operatorPasswordProblem(name: string, password: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN || length > PASSWORD_MAX)
    return `The password needs ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`
  if (name.length >= 3 && password.toLowerCase().includes(name))
    return 'The password may not contain the name.'
  if (new Set(password).size < PASSWORD_MIN / 2) return 'The password repeats too few characters.'
  return null
}

export const isBuiltIn = (role: string): role is OperatorRole =>
  ROLES.some((known) => known === role)

/** A role that nobody knows allows nothing. */
export function mayDo({ role, own }: Powers, permission: Permission): boolean {
  if (own) return own.permissions.includes(permission)
  return isBuiltIn(role) && GRANTED[role].includes(permission)
}

/** The most that may be moved for one shopper within a day, in minor units of the shop's currency; null for no limit, nothing for what it may not do. */
export function limitOf(powers: Powers, permission: LimitedPermission): bigint | null {
  if (!mayDo(powers, permission)) return 0n
  const { role, own, unit = USUAL_UNIT } = powers
  if (own) return own.limits[permission] === undefined ? 0n : (own.limits[permission] ?? null)
  const limit = isBuiltIn(role) ? LIMITS[role]?.[permission] : 0n
  return limit === undefined ? null : (limit * unit) / USUAL_UNIT
}

/** What one person of a role may move in a day to everybody together: so many times what they may move to one. */
export const A_DAYS_WORTH = 10n
const GIVING = LIMITED_PERMISSIONS.filter((one) => one !== 'key.import')

/**
 * The most that somebody may give by all their permissions together, within a day or for one order, in minor units of the shop's currency;
 * null for no limit. Where nobody has said, it is the highest limit of one permission for an order, and so many times that for a day.
 */
export function totalLimitOf(powers: Powers, total: TotalLimit): bigint | null {
  const said = powers.own?.totals?.[total]
  if (said !== undefined) return said
  const limits = GIVING.map((one) => limitOf(powers, one))
  const most = limits.reduce<bigint | null>(
    (highest, one) => (highest === null || one === null ? null : one > highest ? one : highest),
    0n,
  )
  return most !== null && total === 'day' ? most * A_DAYS_WORTH : most
}

/** By how much one person may lower or raise a price within a week, where nobody has said: hundredths of a percent. */
export const USUAL_PRICE_LIMIT = 1_000

/** By how much somebody may lower or raise a price within a week, in hundredths of a percent; null for no limit. */
export function priceLimitOf(powers: Powers): number | null {
  if (!mayDo(powers, 'price.change')) return 0
  const usual = powers.role === 'owner' ? null : USUAL_PRICE_LIMIT
  return powers.own?.priceLimit === undefined ? usual : powers.own.priceLimit
}

/** By what money, goods or the team itself are moved: who is given one of them is given it by two people. */
const HEAVY: readonly Permission[] = [
  ...LIMITED_PERMISSIONS,
  'order.deliver',
  'approval.decide',
  'key.see',
  'key.export',
  'payment.settings',
  'supplier.change',
  'reseller.manage',
  'staff.manage',
  'shop.manage',
  'system.manage',
]

/** Whether a role moves money, goods or the team. */
export const isHeavy = (powers: Powers): boolean =>
  HEAVY.some((permission) => mayDo(powers, permission))

/** The same operator, as far as a token's scopes go; null for all of it. */
export function within(operator: Operator, scopes: readonly string[] | null): Operator {
  if (scopes === null) return operator
  const permissions = PERMISSIONS.filter((one) => scopes.includes(one) && mayDo(operator, one))
  const limits = Object.fromEntries(
    LIMITED_PERMISSIONS.map((one) => [one, limitOf(operator, one)] as const),
  )
  const totals = Object.fromEntries(
    TOTAL_LIMITS.map((one) => [one, totalLimitOf(operator, one)] as const),
  )
  const name = operator.own?.name ?? operator.role
  const priceLimit = priceLimitOf(operator)
  return { ...operator, scopes, own: { name, permissions, limits, totals, priceLimit } }
}

/**
 * The same operator where a token speaks for them over the network: it moves prices as far as their role, and where an owner has no limit as far as is
 * usual. Whoever gets hold of it gives nothing away.
 */
export function byNetwork(given: Operator): Operator {
  const operator = { ...given, isByNetwork: true } as const
  if (operator.role !== 'owner' || priceLimitOf(operator) !== null) return operator
  const { own } = within(operator, operator.scopes ?? PERMISSIONS)
  return own ? { ...operator, own: { ...own, priceLimit: USUAL_PRICE_LIMIT } } : operator
}

/** What a token made in the console may be given: what moves neither money nor goods nor the team, and its maker may do. */
export const scopesOf = (powers: Powers): readonly Permission[] =>
  PERMISSIONS.filter((one) => mayDo(powers, one) && !HEAVY.includes(one))

/** What somebody would give that they have not themselves, or not so much of; null for nothing. */
export function beyond(giver: Powers, given: Powers): Permission | null {
  const lacking = PERMISSIONS.find((one) => mayDo(given, one) && !mayDo(giver, one))
  if (lacking) return lacking
  const isMore = (own: bigint | null, other: bigint | null) =>
    own !== null && (other === null || other > own)
  const more = LIMITED_PERMISSIONS.find((one) => isMore(limitOf(giver, one), limitOf(given, one)))
  if (more) return more
  const [price, givenPrice] = [priceLimitOf(giver), priceLimitOf(given)]
  if (price !== null && (givenPrice === null || givenPrice > price)) return 'price.change'
  const isMoreInAll = TOTAL_LIMITS.some((one) =>
    isMore(totalLimitOf(giver, one), totalLimitOf(given, one)),
  )
  return isMoreInAll ? (GIVING.find((one) => mayDo(given, one)) ?? null) : null
}

/** Nobody makes anybody mightier than they are, nor touches who is. Throws 'forbidden' with what is lacking. */
export function requireAsMighty(
  { operator }: { readonly operator: Operator },
  powers: Powers,
): void {
  const permission = beyond(operator, powers)
  if (permission) throw new AppError('forbidden', { permission, role: operator.role })
}

/** How long a link of an invitation is good. */
export const INVITATION_MS = 72 * 3_600_000
/** One that is over is kept so long, for whoever asks what became of it. */
export const INVITATION_KEPT_MS = 30 * 86_400_000

/** Throws 'forbidden', with the permission, for an operator whose role lacks it. The first line of each operator's command. */
export function requirePermission(
  { operator }: { readonly operator: Operator },
  permission: Permission,
): void {
  if (!mayDo(operator, permission))
    throw new AppError('forbidden', { permission, role: operator.role })
}

/** How an operator's token begins, so that one that has leaked is recognised. */
export const TOKEN_PREFIX = 'lukado-operator-'
export const TOKEN_DAYS = { usual: 90, most: 400 } as const

const MINUTE_MS = 60_000
/** A session of the console ends after so long without use … */
export const SESSION_IDLE_MS = 30 * MINUTE_MS
/** … and after so long in any case. */
export const SESSION_LONGEST_MS = 12 * 60 * MINUTE_MS
/** Use is noted no more often than this. */
export const SESSION_TOUCH_MS = MINUTE_MS
export const OPERATOR_SESSIONS_MAX = 20
/** How long a proof of one kind counts as fresh. */
export const OPERATOR_PROOF_MS = 10 * MINUTE_MS
/** How long the second half of a sign-in, or making a first factor, may take. */
export const TICKET_LIFE_MS = 10 * MINUTE_MS
export const TICKET_TRIES = 5

/** What asks for a fresh proof; one made for a kind counts for no other. */
export const PROOF_KINDS = ['key', 'personal', 'payment', 'staff', 'access'] as const
export type ProofKind = (typeof PROOF_KINDS)[number]

/** What was shown beside the password; nothing in a demo alone. */
export type ShownFactor = 'none' | 'totp' | 'recovery' | 'passkey'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** What an operator's pages look like, and what colleagues read. */
export interface OperatorProfile {
  readonly email: string | null
  /** As colleagues read it; the name where none was chosen. */
  readonly displayName: string
  readonly language: LanguageCode
  readonly theme: Theme
}

/** One browser in which an operator is signed in. */
export interface OperatorSession {
  readonly id: string
  readonly publicId: string
  readonly operatorId: string
  readonly factor: ShownFactor
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
  readonly profile: OperatorProfile
  /** When each kind was proved last. */
  readonly proofs: Readonly<Partial<Record<ProofKind, Date>>>
}

/** Whether what a kind protects may go on without asking again. */
export function isProofFresh(
  { proofs }: Pick<OperatorSession, 'proofs'>,
  kind: ProofKind,
  now: Date,
): boolean {
  const at = proofs[kind]
  return at !== undefined && now.getTime() - at.getTime() <= OPERATOR_PROOF_MS
}
