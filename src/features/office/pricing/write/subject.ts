import type { PriceChange } from '../schema.ts'

/** What it is about, so that the same is not asked for twice. */
export function subjectOf(change: PriceChange): string {
  switch (change.path) {
    case 'rule':
      return `rule ${[change.brand, change.supplier, change.region, change.currency].map((one) => one ?? '*').join(' ')}`
    case 'rule_end':
    case 'rate_accept':
      return `${change.path} ${change.id}`
    case 'floor':
      return 'floor'
    case 'currency':
    case 'rate':
      return `${change.path} ${change.currency}`
    case 'level':
      return `level ${change.level}`
    case 'level_price':
      return `level ${change.level} ${change.item}`
    case 'own':
      return `own ${change.item} ${change.currency}`
  }
}
