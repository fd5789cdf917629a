import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { scenePicture, type StoredPicture } from '#features/goods/picture/queries.ts'
import { pictureUrl, type PictureStyle } from '#features/goods/picture/rules.ts'
import { isPhotograph } from '#features/goods/picture/schema.ts'
import { findLanguage, type LanguageCode } from '#kernel/language.ts'

const addresses = new WeakMap<ShopSnapshot, Map<string, string>>()
/** What stands in for a picture that the catalogue does not have. */
const NO_PICTURE = '/icon.svg'

/** Whose pictures, and who looks at them. */
export interface PicturePlace {
  readonly shop: ShopSnapshot
  readonly language: LanguageCode | { readonly code: LanguageCode }
}

export interface PictureUse {
  /** Shown at 96 pixels or less. */
  readonly isSmall?: boolean
}

/**
 * Address of a picture of the catalogue, remembered as long as the snapshot: a drawing as it is, one file for every size
 * of screen (small places have one with less in it); a photograph as WebP.
 */
export function pictureAddress(
  { shop, language }: PicturePlace,
  style: PictureStyle,
  code: string | null,
  { isSmall = false }: PictureUse = {},
): string {
  if (code === null) return NO_PICTURE
  let known = addresses.get(shop)
  if (!known) addresses.set(shop, (known = new Map()))
  const isMirrored = directionOf(language) === 'rtl'
  const key = `${style} ${code} ${isMirrored} ${isSmall}`
  let address = known.get(key)
  if (address === undefined) {
    address = addressOf(shop, style, code, isMirrored, isSmall)
    known.set(key, address)
  }
  return address
}

/** The picture that other sites show beside a link: PNG, as many of them read nothing else. Null without a picture. */
export function linkPicture(
  { pictures }: Pick<ShopSnapshot, 'pictures'>,
  code: string | null,
): string | null {
  const picture = code === null ? undefined : pictures.get(code)
  return code === null || !picture ? null : linkPictureOf(code, picture)
}

function linkPictureOf(code: string, { version }: StoredPicture): string {
  return pictureUrl('link_preview', code, { extension: 'png', version })
}

const scene = scenePicture('games-evening', false)
/** … beside a link to a page without a picture of its own. */
export const SHOP_LINK_PICTURE = linkPictureOf(scene.code, scene.picture)

const SMALL = { drawing: 80, photograph: 240 }

function addressOf(
  { pictures }: ShopSnapshot,
  style: PictureStyle,
  code: string,
  isMirrored: boolean,
  isSmall: boolean,
): string {
  const picture = pictures.get(code)
  const version = picture?.version ?? null
  if (picture === undefined || isPhotograph(picture.recipe))
    return pictureUrl(style, code, { version, width: isSmall ? SMALL.photograph : 480 })
  return pictureUrl(style, code, {
    extension: 'svg',
    version,
    // A scene says itself which way it runs.
    isMirrored: isMirrored && picture.recipe.kind !== 'scene',
    ...(isSmall ? { width: SMALL.drawing } : {}),
  })
}

function directionOf(language: PicturePlace['language']): 'ltr' | 'rtl' {
  return findLanguage(typeof language === 'string' ? language : language.code)?.dir ?? 'ltr'
}
