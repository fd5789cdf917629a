import type { PhoneRules } from '#features/goods/region/rules.ts'
import { latinDigits } from '#kernel/digits.ts'

/** What `/mobile-recharge/{rechargeList?}` lists. */
export const RECHARGE_LISTS = ['airtime', 'data-packets'] as const
export type RechargeList = (typeof RECHARGE_LISTS)[number]

/** The one account field of a recharge; its number is kept as the whole world dials it (E.164). */
export const PHONE_FIELD = 'phone'

export interface OperatorPrefixes {
  readonly code: string
  /** First digits of its numbers, as dialled within the country or as national numbers. */
  readonly prefixes: readonly string[]
}

type Rules = Pick<PhoneRules, 'callingCode' | 'trunkPrefix' | 'mobilePattern'>

const DIGITS_MAX = 20

/**
 * The national number of a mobile phone ("81234 56789", "+91 8123456789", "0091…" and "08123456789" are the same one);
 * null while it is none of the country.
 */
export function nationalNumber(typed: string, rules: Rules): string | null {
  const text = latinDigits(typed.replace(/＋/g, '+'))
  const digits = text.replace(/\D/g, '')
  if (digits.length > DIGITS_MAX) return null
  const mobile = new RegExp(rules.mobilePattern)
  const calling = rules.callingCode.replace(/\D/g, '')
  const isInternational = text.trimStart().startsWith('+')
  const withoutCalling = [digits, ...(digits.startsWith('00') ? [digits.slice(2)] : [])]
    .filter((number) => number.startsWith(calling))
    .map((number) => number.slice(calling.length))
  const candidates = isInternational ? withoutCalling : [digits, ...withoutCalling]
  const { trunkPrefix } = rules
  const national = candidates.flatMap((number) =>
    trunkPrefix !== null && number.startsWith(trunkPrefix)
      ? [number, number.slice(trunkPrefix.length)]
      : [number],
  )
  return national.find((number) => mobile.test(number)) ?? null
}

/** The number as the whole world dials it (E.164). */
export function internationalNumber(
  national: string,
  rules: Pick<PhoneRules, 'callingCode'>,
): string {
  return `+${rules.callingCode.replace(/\D/g, '')}${national}`
}

/**
 * The operator whose prefix of the number is the longest; null when none fits or two fit equally. Prefixes hint at the
 * network that first gave the number out: where numbers move between networks a person must be able to correct it.
 */
export function detectOperator(
  national: string,
  trunkPrefix: string | null,
  operators: readonly OperatorPrefixes[],
): string | null {
  const forms = trunkPrefix === null ? [national] : [national, trunkPrefix + national]
  let best: { code: string | null; length: number } = { code: null, length: 0 }
  for (const { code, prefixes } of operators) {
    for (const prefix of prefixes) {
      if (prefix === '' || !forms.some((form) => form.startsWith(prefix))) continue
      // With and without the trunk prefix the same range is equally long.
      const length =
        trunkPrefix !== null && !national.startsWith(prefix)
          ? prefix.length - trunkPrefix.length
          : prefix.length
      if (length > best.length) best = { code, length }
      else if (length === best.length && code !== best.code) best = { code: null, length }
    }
  }
  return best.code
}
