import type { AccountField, Product } from '#features/goods/catalogue/rules.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import type { FieldReason } from '#kernel/error.ts'

/** What a supplier may find wrong with an account. */
export type AccountFault =
  | 'account'
  | 'zone'
  | 'operator'
  | 'country'
  | 'not_eligible'
  | 'not_valid'

/** A supplier's answer, or that there was none. */
export type AccountAnswer =
  | {
      readonly kind: 'valid'
      readonly displayName: string | null
      readonly expiresAt: Date | null
    }
  | { readonly kind: 'invalid'; readonly fault: AccountFault }
  | { readonly kind: 'unchecked' }

/** What is known of an account that is to be credited. */
export type CheckedAccount =
  | {
      readonly state: 'valid'
      /** The player's, as the supplier knows them; of a phone there is none. */
      readonly name: string | null
      /** Until when that is remembered. */
      readonly until: Date
    }
  | { readonly state: 'invalid'; readonly fault: AccountFault; readonly until: Date }
  /** Nobody could be asked about it. */
  | { readonly state: 'unchecked' }

export const UNCHECKED: CheckedAccount = { state: 'unchecked' }

const MINUTE_MS = 60_000
/** A player keeps their id; one that is not there may be made any minute. */
const VALID_MS = 10 * MINUTE_MS
const INVALID_MS = 2 * MINUTE_MS

/** A supplier's answer, and until when it holds. */
export function checkedBy(told: AccountAnswer, now: Date): CheckedAccount {
  const after = (ms: number) => new Date(now.getTime() + ms)
  switch (told.kind) {
    case 'valid': {
      const until = after(VALID_MS)
      const { expiresAt } = told
      return {
        state: 'valid',
        name: told.displayName || null,
        until: expiresAt !== null && expiresAt < until ? expiresAt : until,
      }
    }
    case 'invalid':
      return { state: 'invalid', fault: told.fault, until: after(INVALID_MS) }
    case 'unchecked':
      return UNCHECKED
    default:
      return told satisfies never
  }
}

type Asked = Pick<AccountField, 'key' | 'kind'>

/** What a product asks of the account to be credited: of a phone its number alone. */
export function askedFields({ brand }: Pick<Product, 'brand'>): readonly Asked[] {
  if (brand.delivery !== 'direct_charge') return []
  return brand.recharge ? [{ key: PHONE_FIELD, kind: 'phone' }] : brand.fields
}

const SERVER = /zone|server|realm|region/

/** Which field a supplier's refusal is about, and what is to be said there. */
export function problemOf(
  fault: AccountFault,
  fields: readonly Asked[],
): { readonly key: string; readonly reason: FieldReason } {
  const [first] = fields
  const server = fields.find(({ key }) => SERVER.test(key))
  const field = (fault === 'zone' ? server : fields.find((each) => each !== server)) ?? first
  return { key: field?.key ?? '', reason: reasonOf(fault, field?.kind === 'phone') }
}

function reasonOf(fault: AccountFault, isPhone: boolean): FieldReason {
  switch (fault) {
    case 'operator':
      return 'phone_operator'
    case 'zone':
      return 'account_zone'
    case 'country':
    case 'not_eligible':
      return 'account_not_eligible'
    case 'account':
    case 'not_valid':
      return isPhone ? 'phone_format' : 'account_unknown'
    default:
      return fault satisfies never
  }
}
