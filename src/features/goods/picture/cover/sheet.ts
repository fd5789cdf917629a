import type { CoverRatio } from './recipe.ts'

/** The blank sheet of a ratio. */
export interface Sheet {
  readonly W: number
  readonly H: number
  readonly ratio: Exclude<CoverRatio, 'card'>
  /** Lettering beside the art instead of above or below it. */
  readonly isWide: boolean
  /** For 96 pixels and less: without what would be dust there. */
  readonly isSmall: boolean
  /** For right-to-left pages: everything hangs on the right margin. */
  readonly isMirrored: boolean
}

export const MARGIN = 22
/** Between lettering and field. */
export const GAP = 18
/** The widest rendition that is drawn small. */
export const SMALL_WIDTH = 96

const SIZES = {
  '3:4': [300, 400],
  '1:1': [300, 300],
  '16:10': [480, 300],
  '2:1': [480, 240],
} as const

export function sheetOf(
  ratio: Sheet['ratio'],
  { isSmall, isMirrored }: { readonly isSmall: boolean; readonly isMirrored: boolean },
): Sheet {
  const [W, H] = SIZES[ratio]
  return { W, H, ratio, isWide: W > H, isSmall, isMirrored }
}

/** Left edge, on this sheet, of what is `width` wide and stands at `x` on one that is not mirrored. */
export function edge({ W, isMirrored }: Sheet, x: number, width: number): number {
  return isMirrored ? W - x - width : x
}
