import type { MarginRule } from '#features/goods/price/rules.ts'

type Scope = Pick<MarginRule, 'brand' | 'supplier' | 'region' | 'currency'>

/** Whether two rules are for the same goods. */
export const isSameScope = (one: Scope, other: Scope): boolean =>
  one.brand === other.brand &&
  one.supplier === other.supplier &&
  one.region === other.region &&
  one.currency === other.currency

/** The rule that would contradict a new one: for the same goods, at the same time. */
export function contradicts(
  rules: readonly MarginRule[],
  asked: Scope & { readonly validFrom: Date; readonly replaces: string | null },
): MarginRule | null {
  return (
    rules.find(
      (rule) =>
        rule.id !== asked.replaces &&
        isSameScope(rule, asked) &&
        (rule.validUntil === null || rule.validUntil > asked.validFrom),
    ) ?? null
  )
}
