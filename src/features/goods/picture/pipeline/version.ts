import { createHash } from 'node:crypto'
import { designOf } from '../cover/cover.ts'
import type { PictureCrop, PictureRecipe } from '../schema.ts'

/** Counts up when the same recipe is drawn or encoded differently, so that caches everywhere let go of the old picture. */
const EDITION = 2

export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Eight characters that change with the picture's content, for `v=` in its address. Null for a file whose content hash
 * is not known.
 */
export function pictureVersion(recipe: PictureRecipe): string | null {
  const content = contentOf(recipe)
  return content === null ? null : digest(`${EDITION}|${content}`).toString('base64url').slice(0, 8)
}

function contentOf(recipe: PictureRecipe): string | null {
  switch (recipe.kind) {
    case 'cover': {
      const { name, kind, tag } = recipe.recipe
      return JSON.stringify(['cover', name, kind, tag, designOf(recipe.recipe)])
    }
    case 'scene':
      return `scene|${recipe.scene}|${recipe.isMirrored}`
    case 'figure':
      return `figure|${recipe.figure}`
    case 'goods':
      return JSON.stringify([
        'goods',
        recipe.view,
        ...recipe.goods.map((goods) => [goods.kind, designOf(goods)]),
      ])
    case 'flag':
      return `flag|${recipe.country}`
    case 'file':
      return recipe.contentHash === undefined
        ? null
        : `file|${recipe.contentHash}${cropText(recipe.crop)}`
    case 'sent':
      return `sent|${recipe.hash}${cropText(recipe.crop)}`
  }
}

/** What is shown of a picture, one text a crop whatever the order of its keys. */
export function cropText(crop: PictureCrop | undefined): string {
  if (!crop) return ''
  const area = (ratio: keyof PictureCrop) => {
    const { x, y, width, height } = crop[ratio] ?? {}
    return [x, y, width, height].join()
  }
  return `|${area('3:4')}|${area('1:1')}`
}
