import { priceChange } from '#features/office/pricing/schema.ts'
import type { Act } from '#features/team/approval/rules.ts'
import { formatBasisPoints } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'

/** How many goods an edit names, that it is for all that a list shows, or that one is taken back. */
function goodsSubject(t: ConsoleContext['t'], asked: unknown): string {
  const { edits, codes, undo } = (asked ?? {}) as Partial<
    Record<'edits' | 'codes' | 'undo', readonly unknown[]>
  >
  if (undo !== undefined) return t('console.method.undo')
  const named = edits
    ? new Set(edits.map((edit) => (edit as { readonly code?: unknown }).code)).size
    : codes?.length
  return named === undefined
    ? t('console.products.bulk.allMatching')
    : t('console.product.itemCount', { count: named })
}

/** What of prices would change, and to what: the codes are those of calls and of the audit. */
export function priceSubject(
  { language, t }: Pick<ConsoleContext, 'language' | 't'>,
  money: (minor: string, currency: string) => string,
  { subject, details }: Pick<Act, 'subject' | 'details'>,
): string {
  if (details['path'] === 'goods') return goodsSubject(t, details['asked'])
  const parsed = priceChange.safeParse(details['change'])
  if (!parsed.success) return subject
  const change = parsed.data
  const share = (points: number) => formatBasisPoints(language.code, points)
  const told = (value: string) => `${subject}: ${value}`
  switch (change.path) {
    case 'rule':
      return told(share(change.basis_points))
    case 'floor':
      return told(change.floor ? share(change.floor.basis_points) : '–')
    case 'currency':
      return told(
        `${share(change.margin_basis_points)} · ${money(change.rounding_increment, change.currency)}`,
      )
    case 'level':
      return told(`− ${share(change.off_basis_points)}`)
    case 'level_price':
      return told(change.price ? money(change.price.minor, change.price.currency) : '–')
    case 'own':
      return told(change.minor === null ? '–' : money(change.minor, change.currency))
    case 'rate':
      return told(change.per_usd)
    case 'rule_end':
    case 'rate_accept':
      return subject
  }
}
