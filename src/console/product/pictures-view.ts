import type { PictureCrop, SaidPicture } from '#features/goods/picture/schema.ts'
import { pictureUrl } from '#features/goods/picture/rules.ts'
import { drawnCover } from '#features/goods/picture/queries.ts'
import { coverKindOf } from '#features/goods/transfer/queries.ts'
import { SHOP_PICTURE_MAX_BYTES } from '#features/goods/upload/rules.ts'
import type { GoodsData } from './load.ts'

export type Cover = Extract<SaidPicture, { cover: unknown }>['cover']
export type Said = SaidPicture
export type Crop = PictureCrop

export interface Drawn {
  readonly upright: string
  readonly square: string
}

export interface PicturesView {
  /** What a cover is begun with where there is none to begin with. */
  readonly base: Cover
  readonly mostBytes: number
  /** Covers that the shop has now, drawn. */
  readonly drawn: { readonly brand: Drawn | null; readonly product: Drawn | null }
  /** Addresses of pictures that are files of the machine. */
  readonly files: { readonly brand: Drawn; readonly product: Drawn }
}

/** Pictures of a product and its brand, as the shop shows them. */
export function picturesView(brand: GoodsData, product: GoodsData): PicturesView {
  return {
    base: coverOf(brand) ?? {
      name: String(brand.values['name']).slice(0, 120),
      kind: coverKindOf(brand.kind as Parameters<typeof coverKindOf>[0]),
    },
    mostBytes: SHOP_PICTURE_MAX_BYTES,
    drawn: { brand: drawnOf(brand), product: drawnOf(product) },
    files: { brand: filesOf(brand), product: filesOf(product) },
  }
}

function coverOf({ values }: GoodsData): Cover | null {
  const said = values['picture'] as unknown as Said | null
  return said && 'cover' in said ? said.cover : null
}

function drawnOf(goods: GoodsData): Drawn | null {
  const cover = coverOf(goods)
  if (!cover) return null
  const { upright, square } = drawnCover(cover)
  return { upright, square }
}

function filesOf({ subject, code }: GoodsData): Drawn {
  const own = `${subject}/${code}`
  return {
    upright: pictureUrl('goods_thumb_3_4', own),
    square: pictureUrl('goods_thumb_1_1', own),
  }
}
