import { pick } from './chance.ts'
import { contrast } from './colour.ts'
import { justifiedLine, letterWidth } from './lettering.ts'
import type { CoverObject, Sheet } from './object.ts'
import type { Palette } from './palette.ts'
import { escapeXml, n1, rect } from './shapes.ts'

/** Where the lettering stands: the motif takes what is left. */
export type TitleBlock = {
  lines: readonly string[]
  heights: readonly number[]
  top: number
  height: number
  width: number
  gap: number
  /** At the head of the sheet instead of its foot. */
  high: boolean
}

export function placeTitle(
  lines: readonly string[],
  sheet: Sheet,
  object: CoverObject,
  mayStandHigh: boolean,
  onFoil: boolean,
  h: number,
): TitleBlock {
  const { W, wide, pad } = sheet
  const room = object.bottom - object.top
  const width = wide ? W * 0.46 : W - pad * 2
  const share = wide ? 0.62 : sheet.H === W ? 0.4 : 0.43
  const gap = width * 0.036
  const { heights, height } = fitHeights(
    lines.map((line) => idealHeight(line, width)),
    gap,
    share * room,
  )
  const high =
    !wide && pick([false, false, true, false], h >>> 3) && mayStandHigh && lines.length < 3
  const foot = object.bottom - pad * (onFoil ? 0.85 : 1) - height
  const top = wide ? object.top + (room - height) / 2 : high ? object.top + pad : foot
  return { lines, heights, top, height, width, gap, high }
}

function idealHeight(line: string, width: number): number {
  const units = [...line].reduce((t, c) => t + (c === ' ' ? 0.5 : 0.35 + letterWidth(c) * 0.75), 0)
  return Math.max(width * 0.15, Math.min(width * 0.36, (width / Math.max(2.6, units)) * 1.5))
}

/** Without lines the block is one line of system text, 72 units high. */
function fitHeights(
  ideal: number[],
  gap: number,
  limit: number,
): { heights: number[]; height: number } {
  const gaps = gap * (ideal.length - 1)
  const height = ideal.length ? ideal.reduce((t, v) => t + v, 0) + gaps : 72
  if (height <= limit) return { heights: ideal, height }
  const k = (limit - gaps) / (height - gaps)
  return { heights: ideal.map((v) => v * k), height: limit }
}

/** Corner radius, weight and treatment come from the hash: one alphabet, about forty voices. */
export function drawTitle(
  block: TitleBlock,
  sheet: Sheet,
  colours: Palette,
  h: number,
  id: string,
): string {
  const radius = pick([0.12, 0.2, 0.5, 0.34], h >>> 11)
  const weight = pick([0.27, 0.24, 0.31, 0.26], h >>> 13)
  const treatment = pick(['solid', 'solid', 'shade', 'inline', 'split', 'solid'] as const, h >>> 15)
  const set = setLines(block, sheet.pad, weight, radius)
  const stroke = set.reduce((t, line) => Math.min(t, line.stroke), 99)
  const inked = (color: string, scale = 1, more = '') =>
    `<g fill="none" stroke="${color}" stroke-linecap="${radius > 0.4 ? 'round' : 'square'}" stroke-linejoin="${radius > 0.15 ? 'round' : 'miter'}" stroke-miterlimit="3"${more}>` +
    `${set.map((line) => `<path d="${line.d}" stroke-width="${n1(line.stroke * scale)}"/>`).join('')}</g>`
  const plain = inked(colours.ink)
  const pale = colours.ground === 'pale'
  switch (treatment) {
    case 'shade': {
      const offset = n1(stroke * 0.3)
      return (
        inked(
          pale ? colours.tones[3] : colours.tones[0],
          1,
          ` transform="translate(${offset} ${offset})"`,
        ) + plain
      )
    }
    case 'inline':
      return stroke > 10 && colours.ground === 'deep'
        ? plain + inked(colours.tones[2], 0.16)
        : plain
    case 'split': {
      const cut =
        block.lines.length > 1
          ? block.top + (block.heights[0] ?? 0) + block.gap / 2
          : block.top + block.height * 0.52
      return `${plain}<clipPath id="${id}s">${rect(0, cut, sheet.W, sheet.H, '#000')}</clipPath><g clip-path="url(#${id}s)">${inked(splitInk(colours))}</g>`
    }
    case 'solid':
      return plain
  }
}

/** The second colour of split lettering; like the first it must read on the background. */
export function splitInk(colours: Palette): string {
  if (colours.ground === 'pale') return colours.tones[1]
  return contrast(colours.accent, colours.background) >= 4.5 ? colours.accent : colours.ink
}

function setLines(
  block: TitleBlock,
  x: number,
  weight: number,
  radius: number,
): { d: string; stroke: number }[] {
  let y = block.top
  return block.lines.map((line, i) => {
    const height = block.heights[i] ?? 0
    const perLetter =
      block.width / [...line].reduce((t, c) => t + (c === ' ' ? 0.5 : 0.4 + letterWidth(c)), 0)
    const stroke = Math.max(5, Math.min(height * weight, perLetter * 0.42))
    const d = justifiedLine(line, x, y, block.width, height, stroke, radius * height, stroke * 0.42)
    y += height + block.gap
    return { d, stroke }
  })
}

/** Names without Latin letters: one line of the system's own type, same measure. */
export function systemTitle(
  name: string,
  block: TitleBlock,
  sheet: Sheet,
  bottom: number,
  colours: Palette,
): string {
  const size = n1(Math.min(72, block.width / [...name].length))
  return `<text x="${sheet.W / 2}" y="${bottom - sheet.pad - 8}" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="800" font-size="${size}" fill="${colours.ink}">${escapeXml(name)}</text>`
}
