import type { CoverRatio } from '../cover/recipe.ts'
import type { CropArea, PictureCrop } from '../schema.ts'

export interface PixelArea {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The pixels of a picture that are shown at a ratio: those that were chosen for it, else as much as there is around the middle of what was chosen. */
export function shownArea(
  crop: PictureCrop,
  ratio: CoverRatio,
  size: Size,
  proportion: number,
): PixelArea {
  const chosen = ratio === '3:4' || ratio === '1:1' ? crop[ratio] : undefined
  if (chosen) return pixelsOf(chosen, size)
  const around = crop['1:1'] ?? crop['3:4']
  const middle = around && pixelsOf(around, size)
  const width = Math.max(1, Math.min(size.width, Math.round(size.height * proportion)))
  const height = Math.max(1, Math.min(size.height, Math.round(size.width / proportion)))
  const along = (from: number, length: number, whole: number) =>
    Math.min(whole - length, Math.max(0, Math.round(from - length / 2)))
  return {
    left: along(middle ? middle.left + middle.width / 2 : size.width / 2, width, size.width),
    top: along(middle ? middle.top + middle.height / 2 : size.height / 2, height, size.height),
    width,
    height,
  }
}

function pixelsOf({ x, y, width, height }: CropArea, size: Size): PixelArea {
  const along = (share: number, whole: number) => Math.round((share * whole) / 10_000)
  const left = Math.min(size.width - 1, along(x, size.width))
  const top = Math.min(size.height - 1, along(y, size.height))
  return {
    left,
    top,
    width: Math.max(1, Math.min(size.width - left, along(width, size.width))),
    height: Math.max(1, Math.min(size.height - top, along(height, size.height))),
  }
}
