import { contrast, luminance, mix } from './colour.ts'
import { READABLE } from './inks.ts'
import type { Ground } from './recipe.ts'
import { circle, n1, path, rect } from './shapes.ts'
import { edge, type Sheet } from './sheet.ts'

/** The ground's own colour, a little darker or lighter, so that lettering reads on it as well: the only figure behind it. */
export function groundShade(ground: string, letters: string): string {
  const darker = mix(ground, '#000000', 0.07)
  const lighter = mix(ground, '#ffffff', 0.09)
  const [usual, other] = luminance(ground) > 0.4 ? [darker, lighter] : [lighter, darker]
  return contrast(letters, usual) >= READABLE ? usual : other
}

interface Place {
  readonly sheet: Sheet
  readonly cx: number
  readonly cy: number
  readonly top: number
  readonly foot: number
  readonly isUnderTitle: boolean
}

export function drawGround(figure: Ground, ground: string, shade: string, place: Place): string {
  const { sheet, cx, cy, top, foot, isUnderTitle } = place
  const { W, H } = sheet
  switch (figure) {
    case 'plain':
      return ''
    case 'sun':
      return circle(cx, cy, 128, shade)
    case 'split':
      return rect(edge(sheet, W / 2, W / 2), 0, W / 2, H, shade)
    case 'diagonal': {
      const [low, high] = [foot + 6, top + (foot - top) * 0.3]
      const [left, right] = sheet.isMirrored ? [high, low] : [low, high]
      return path(`M0 ${n1(left)}L${W} ${n1(right)}V0H0Z`, shade)
    }
    case 'rays': {
      const quiet = isUnderTitle ? rect(0, 0, W, top - 4, ground) : rect(0, foot + 4, W, H, ground)
      return path(rays(cx, cy), shade) + (sheet.isWide ? '' : quiet)
    }
  }
}

const RAYS = 12

function rays(cx: number, cy: number): string {
  const tip = (step: number) => {
    const angle = (step * Math.PI) / RAYS
    return `${Math.round(cx + 420 * Math.cos(angle))} ${Math.round(cy + 420 * Math.sin(angle))}`
  }
  return Array.from(
    { length: RAYS },
    (_, at) => `M${Math.round(cx)} ${Math.round(cy)}L${tip(at * 2)}L${tip(at * 2 + 1)}Z`,
  ).join('')
}
