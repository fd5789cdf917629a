import type { Words } from '../i18n.tsx'

/** The address of a product with one of its items chosen. */
export function withItem(path: string, item: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}item=${encodeURIComponent(item)}`
}

/** What exactly a line is of. */
export function aboutOf(
  t: Words['t'],
  {
    label,
    bonus,
    region,
  }: { readonly label: string; readonly bonus: string | null; readonly region: string },
): string {
  const item = bonus === null ? label : t('shop-cart.withBonus', { item: label, bonus })
  return region === '' ? item : t('shop-cart.itemOf', { item, region })
}
