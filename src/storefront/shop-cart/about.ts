import type { CartLineView } from '#features/buying/cart/views.ts'
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

/** What a line that the shop has priced is of, as it is shown wherever carts are. */
export function lineGoods(t: Words['t'], { product, item, label, bonus, account }: CartLineView) {
  return {
    name: product.goods_name,
    path: product.path === '' ? null : withItem(product.path, item),
    image: product.image,
    // Whoever says an account has chosen its region with it.
    about: aboutOf(t, { label, bonus, region: account.length === 0 ? product.region : '' }),
    account,
  }
}
