import { n1 } from './shapes.ts'

/**
 * The cover alphabet: skeletons on an 8×8 grid, stretched to the measure like wood type while the stroke stays
 * constant. Drawn as paths, so a cover looks the same on every device and needs no font.
 * 'xy' is a point, '!' a sharp corner, 'z' closes the stroke, '|' starts a new one.
 */
const SKELETONS: Readonly<Record<string, string>> = {
  A: '08 00 80 88|05 85',
  B: '04 74 70 00! 08! 88 84 74',
  C: '80 00 08 88',
  D: '00! 80 88 08! z',
  E: '80 00! 08! 88|04 74',
  F: '80 00! 08|04 74',
  G: '80 00 08 88 84 54',
  H: '00 08|80 88|04 84',
  I: '00 08',
  J: '80 88 08 06',
  K: '00 08|80 24! 88|04 24',
  L: '00 08! 88',
  M: '08 00! 45! 80! 88',
  N: '08 00! 88! 80',
  O: '00 80 88 08 z',
  P: '08 00! 80 85 05',
  Q: '00 80 88 08 z|55 88',
  R: '08 00! 80 85 05|45 88',
  S: '80 00 04 84 88 08',
  T: '00 80|40 48',
  U: '00 08 88 80',
  V: '00 48! 80',
  W: '00 28! 43! 68! 80',
  X: '00 88|80 08',
  Y: '00 44! 80|44 48',
  Z: '00 80! 08! 88',
  0: '00 80 88 08 z',
  1: '02 40! 48',
  2: '00 80 84 04 08! 88',
  3: '00 80 84 34|84 88 08',
  4: '00 05! 85|80 88',
  5: '80 00! 04! 84 88 08',
  6: '80 00 08 88 84 04',
  7: '00 80! 38',
  8: '00 80 88 08 z|04 84',
  9: '84 04 00 80 88 08',
  '+': '41 47|04 84',
  '-': '04 84',
  '&': '88 13 10 60 63 05 08 48 84',
  '%': '80 08|10 11|77 78',
  '.': '48 48',
}

const WIDTHS: Readonly<Record<string, number>> = {
  I: 0,
  '.': 0,
  1: 0.5,
  J: 0.85,
  L: 0.82,
  E: 0.86,
  F: 0.84,
  T: 0.95,
  M: 1.42,
  W: 1.5,
  K: 1.02,
  '-': 0.75,
  '+': 1.2,
}

/** Width of a letter's skeleton in units of the line. */
export const letterWidth = (letter: string): number => WIDTHS[letter] ?? 1

type Node = { x: number; y: number; sharp: boolean }

function glyph(letter: string, x: number, y: number, w: number, h: number, radius: number): string {
  // A small radius would let D read as O.
  const r = letter === 'D' ? Math.max(radius, h * 0.42) : radius
  return (SKELETONS[letter] ?? '')
    .split('|')
    .map((stroke) => {
      const nodes = stroke
        .replace(' z', '')
        .split(' ')
        .filter(Boolean)
        .map(
          (token): Node => ({
            x: x + (Number(token[0]) / 8) * w,
            y: y + (Number(token[1]) / 8) * h,
            sharp: token[2] === '!',
          }),
        )
      return strokePath(nodes, stroke.endsWith('z'), r)
    })
    .join('')
}

function strokePath(nodes: readonly Node[], closed: boolean, r: number): string {
  const n = nodes.length
  if (n < 2) return ''
  let d = ''
  nodes.forEach((node, i) => {
    const before = nodes[(i + n - 1) % n] ?? node
    const after = nodes[(i + 1) % n] ?? node
    const atEnd = !closed && (i === 0 || i === n - 1)
    const command = d ? 'L' : 'M'
    d +=
      command +
      (atEnd || node.sharp || !r
        ? `${n1(node.x)} ${n1(node.y)}`
        : roundCorner(node, before, after, r))
  })
  return d + (closed ? 'Z' : '')
}

function roundCorner(node: Node, before: Node, after: Node, r: number): string {
  const length = (to: Node) => Math.hypot(to.x - node.x, to.y - node.y)
  const R = Math.min(r, length(before) * 0.5, length(after) * 0.5)
  const towards = (to: Node, distance: number) => {
    const D = length(to) || 1
    return `${n1(node.x + ((to.x - node.x) / D) * distance)} ${n1(node.y + ((to.y - node.y) / D) * distance)}`
  }
  const k = 0.45
  return `${towards(before, R)}C${towards(before, R * k)} ${towards(after, R * k)} ${towards(after, R)}`
}

/** One justified line: path data whose outer stroke edges fill exactly x to x + width, y to y + height. */
export function justifiedLine(
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  stroke: number,
  radius: number,
  gap: number,
): string {
  const letters = [...text]
  const spaces = letters.filter((c) => c === ' ').length
  const inked = letters.length - spaces
  const space = stroke * 0.9
  const units = letters.reduce((t, c) => t + (c === ' ' ? 0 : letterWidth(c)), 0)
  const unit =
    (width - inked * stroke - gap * (letters.length - 1) - spaces * space) / Math.max(0.001, units)
  let d = ''
  let left = x
  for (const letter of letters) {
    if (letter === ' ') {
      left += space + gap
      continue
    }
    const w = letterWidth(letter) * unit
    d += glyph(letter, left + stroke / 2, y + stroke / 2, w, height - stroke, radius)
    left += w + stroke + gap
  }
  return d
}

/** Small printed words (tags): fixed proportion, not justified. `weight` is the stroke as a share of the height. */
export function smallPrint(
  text: string,
  x: number,
  y: number,
  height: number,
  color: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
  weight = 0.15,
): string {
  const letters = [...text.toUpperCase()]
  const stroke = height * weight
  const unit = height * 0.5
  const gap = height * 0.2
  const width = letters.reduce(
    (t, c) => t + (c === ' ' ? height * 0.28 : letterWidth(c) * unit + stroke) + gap,
    -gap,
  )
  let left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x
  let d = ''
  for (const letter of letters) {
    if (letter === ' ') {
      left += height * 0.28 + gap
      continue
    }
    const w = letterWidth(letter) * unit
    d += glyph(letter, left + stroke / 2, y + stroke / 2, w, height - stroke, height * 0.18)
    left += w + stroke + gap
  }
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n1(stroke)}" stroke-linecap="square" stroke-linejoin="round"/>`
}
