import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { pictureUrl, type PictureStyle } from '#features/goods/picture/rules.ts'

const addresses = new WeakMap<ShopSnapshot, Map<string, string>>()
/** What stands in for a picture that the catalogue does not have. */
const NO_PICTURE = '/icon.svg'

/**
 * Address of a picture of the catalogue, remembered as long as the snapshot: a drawing as it is, one file for every size
 * of screen; a photograph as WebP.
 */
export function pictureAddress(
  shop: ShopSnapshot,
  style: PictureStyle,
  code: string | null,
): string {
  if (code === null) return NO_PICTURE
  let known = addresses.get(shop)
  if (!known) addresses.set(shop, (known = new Map()))
  const key = `${style} ${code}`
  let address = known.get(key)
  if (address === undefined) {
    const picture = shop.pictures.get(code)
    const extension = picture?.recipe.kind === 'cover' ? 'svg' : 'webp'
    address = pictureUrl(style, code, {
      extension,
      version: picture?.version ?? null,
      ...(extension === 'webp' ? { width: 480 } : {}),
    })
    known.set(key, address)
  }
  return address
}
