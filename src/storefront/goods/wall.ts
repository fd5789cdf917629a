import { listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS } from '#features/goods/browse/rules.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import type { PageContext } from '../page.ts'
import { pictureAddress } from './picture.ts'

const COVERS = 12

/** Pictures of recommended cards, for the wall beside a form. */
export function wallCovers({
  shop,
  language,
  currency,
}: Pick<PageContext, 'shop' | 'language' | 'currency'>): readonly string[] {
  const cards = listProducts(
    shop,
    { ...ALL_GOODS, type: GOODS_TYPE.card, isHome: true, limit: COVERS },
    language.code,
    currency,
  ).list
  return cards.map((product) =>
    pictureAddress({ shop, language }, 'goods_thumb_3_4', product.picture ?? product.brand.picture),
  )
}
