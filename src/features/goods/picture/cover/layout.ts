import { FIXED, MOTIFS, type MotifName } from './motif.ts'
import type { Layout } from './recipe.ts'
import { n1, rect } from './shapes.ts'
import { edge, MARGIN, type Sheet } from './sheet.ts'

/** Where the art stands: between `top` and `foot`, from `left` to the sheet's end. */
export interface Field {
  readonly top: number
  readonly foot: number
  readonly left: number
  /** The lettering is above the art, and not below. */
  readonly isUnderTitle: boolean
  /** Something hangs from the top: the art keeps a little more off. */
  readonly isHanging: boolean
}

interface Stage {
  readonly sheet: Sheet
  readonly field: Field
  readonly motif: MotifName
  readonly width: number
  readonly height: number
  /** Middle of the field. */
  readonly cx: number
  readonly cy: number
}

/** A motif at a size: the left top corner of its measured box, and its scale. */
interface Spot {
  readonly x: number
  readonly y: number
  readonly k: number
  readonly turn?: number
}

/** Colours are still `$1` to `$4`. */
export function layArt(layout: Layout, motif: MotifName, sheet: Sheet, field: Field): string {
  const width = sheet.W - field.left
  const stage: Stage = {
    sheet,
    field,
    motif,
    width,
    height: field.foot - field.top,
    cx: field.left + width / 2,
    cy: (field.top + field.foot) / 2,
  }
  return ART[usedLayout(layout, sheet, field)](stage)
}

/** Squares have little room: what stands in their middle is large there. Beside lettering, art leaves by its own side. */
function usedLayout(layout: Layout, { ratio, isWide }: Sheet, { isHanging }: Field): Layout {
  if (ratio === '1:1' && layout === 'centre' && !isHanging) return 'big'
  return isWide && !['horizon', 'field', 'diagonal'].includes(layout) ? 'right' : layout
}

const boxOf = (motif: MotifName) => {
  const [x, y, w, h] = MOTIFS[motif].box
  return { x, y, w, h }
}

function spot({ sheet, motif }: Stage, { x, y, k, turn = 0 }: Spot): string {
  const box = boxOf(motif)
  const isFlipped = sheet.isMirrored && !FIXED.has(motif)
  const left = sheet.isMirrored ? sheet.W - x - box.w * k : x
  const at = isFlipped ? left + (box.x + box.w) * k : left - box.x * k
  const scale = isFlipped ? `-${+k.toFixed(3)} ${+k.toFixed(3)}` : `${+k.toFixed(3)}`
  const turned = turn === 0 ? '' : ` rotate(${sheet.isMirrored && !isFlipped ? -turn : turn} 50 50)`
  return `<g transform="translate(${n1(at)} ${n1(y - box.y * k)})scale(${scale})${turned}">${MOTIFS[motif].art}</g>`
}

/** On the sheet's square of 100, so that art and its horizon keep their place to one another. */
function onSquare(stage: Stage, x: number, y: number, k: number): string {
  const box = boxOf(stage.motif)
  return spot(stage, { x: x + box.x * k, y: y + box.y * k, k })
}

const ART: Readonly<Record<Layout, (stage: Stage) => string>> = {
  centre(stage) {
    const { width, height, cx, cy, field, motif } = stage
    const { w, h } = boxOf(motif)
    const air = field.isHanging ? 6 : 12
    const k = Math.min((width - 52) / w, (height - air) / h)
    const lower = field.isHanging && !field.isUnderTitle ? 4 : 0
    return spot(stage, { x: cx - (w * k) / 2, y: cy - (h * k) / 2 + lower, k })
  },
  big(stage) {
    const { width, height, cx, motif } = stage
    const { w, h } = boxOf(motif)
    const k = Math.min((height * 1.16) / h, (width * 1.08) / w)
    return spot(stage, { x: cx - (w * k) / 2, y: against(stage, h * k), k })
  },
  right: (stage) => aside(stage, true),
  left: (stage) => aside(stage, false),
  giant(stage) {
    const { width, height, sheet, motif } = stage
    const { w, h } = boxOf(motif)
    const k = Math.max((height * 1.5) / h, (width * 1.2) / w)
    return spot(stage, { x: sheet.W - 0.78 * w * k, y: against(stage, h * k), k })
  },
  horizon(stage) {
    const { width, cx, field, motif } = stage
    const { y, w } = boxOf(motif)
    const k = Math.min(
      (field.foot - (field.isHanging ? 44 : 26)) / (100 - y),
      (width - 30) / Math.min(w, 104),
    )
    return onSquare(stage, cx - 50 * k, field.foot - 100 * k, k)
  },
  field(stage) {
    const { width, height, cx, field, sheet } = stage
    const k = Math.max(width, height) / 100
    const foot = sheet.ratio === '1:1' ? field.top - 8 * k : sheet.H - 100 * k
    const y = field.isUnderTitle ? foot : Math.min(field.top, (field.foot - 100 * k) / 2)
    const art = onSquare(stage, cx - 50 * k, y, k)
    return clipped(art, sheet, field)
  },
  repeat(stage) {
    const { width, height, field, motif, sheet } = stage
    const { w, h } = boxOf(motif)
    const step = width / 2
    const k = (step * 0.7) / Math.max(w, h)
    const rows = Math.ceil((height + 60) / (step * 0.62))
    const first = field.isUnderTitle ? field.top + (h * k) / 2 : field.foot - (h * k) / 2
    const down = field.isUnderTitle ? 1 : -1
    let art = ''
    for (let row = 0; row < rows; row++)
      for (let column = -1; column < 3; column++) {
        const x = field.left + (column + 0.5 + (row % 2) * 0.5) * step - (w * k) / 2
        const y = first + down * row * step * 0.62 - (h * k) / 2
        if (x < sheet.W && x + w * k > 0 && y + h * k > 0) art += spot(stage, { x, y, k })
      }
    return art
  },
  diagonal(stage) {
    const { width, height, cx, cy, motif } = stage
    const { w, h } = boxOf(motif)
    const k = Math.min((height * 0.96) / h, (width - 30) / w)
    return spot(stage, { x: cx - (w * k) / 2, y: cy - (h * k) / 2, k, turn: 12 })
  },
}

/** The edge towards the lettering is whole; the far one may be lost. */
function against({ field }: Stage, height: number): number {
  return field.isUnderTitle ? field.top : field.foot - height
}

/** 12 to 30 % of the object are lost at the side. */
function aside(stage: Stage, isRight: boolean): string {
  const { width, height, sheet, field, motif, cy } = stage
  const { w, h } = boxOf(motif)
  const k = Math.min((height * (sheet.isWide ? 1.04 : 1.2)) / h, (width * 1.1) / w)
  const drawn = w * k
  const lost = Math.max(0.12, Math.min(0.3, (drawn - width * 0.72) / drawn))
  const y = sheet.isWide ? cy - (h * k) / 2 : against(stage, h * k)
  return spot(stage, {
    x: isRight ? Math.max(field.left, sheet.W - drawn * (1 - lost)) : -drawn * lost,
    y,
    k,
  })
}

/** Down to a hard edge: what a scene draws past its field is not seen. */
function clipped(art: string, sheet: Sheet, field: Field): string {
  const { W, H } = sheet
  const [y, height] = field.isUnderTitle ? [field.top, H - field.top] : [0, field.foot]
  const frame = rect(edge(sheet, field.left, W - field.left), y, W - field.left, height, '#000')
  return `<clipPath id="f">${frame}</clipPath><g clip-path="url(#f)">${art}</g>`
}

/** Left edge of the art on wide sheets: the lettering has the rest. */
export function artEdge({ W, isWide }: Sheet): number {
  return isWide ? Math.round(W * 0.46) + MARGIN / 2 : 0
}
