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
