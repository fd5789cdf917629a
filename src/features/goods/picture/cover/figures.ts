import { circle, path, rect } from './shapes.ts'

/**
 * Figures beside a field: where in a game what it asks for is shown. They are nobody's screens, so that one serves many games; without
 * lettering, so that one serves every language. On 640 by 400.
 */
const INK = '#10182e'
const PANEL = '#17326f'
const PALE = '#8cd2ff'
const PAPER = '#fbf6ea'
const SIGN = '#ffd321'
const POINTER = '#ff5a4e'

const outline = (d: string, stroke: string) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="5" stroke-linecap="round"/>`

/** A wide screen with somebody's portrait at its top left, and their profile open beside it. */
const SCREEN =
  rect(40, 40, 560, 320, INK, 34) +
  rect(64, 60, 512, 280, '#1b50d2', 14) +
  path('M64 300Q180 240 320 280T576 252V326a14 14 0 0 1-14 14H78a14 14 0 0 1-14-14Z', '#35c8cb') +
  rect(196, 84, 356, 232, PANEL, 16)
const PORTRAIT =
  circle(122, 122, 38, PAPER) +
  circle(122, 112, 15, PANEL) +
  path('M94 147a28 24 0 0 1 56 0a38 38 0 0 1-56 0Z', PANEL)
/** Where a finger goes first. */
const TAPPED = circle(122, 122, 48, SIGN)

/** A number as a row of strokes, one a digit: it can be counted and not be read. */
function digits(x: number, y: number, count: number, fill: string): string {
  return Array.from({ length: count }, (_, index) => rect(x + index * 16, y, 11, 22, fill, 3)).join(
    '',
  )
}

/** What is to be copied, on its own ground, with a pointer to it. */
function marked(x: number, y: number, width: number): string {
  return (
    rect(x, y, width, 42, SIGN, 12) +
    path(`M${x + width / 2} ${y + 50}l22 30h-13v34h-18v-34h-13Z`, POINTER)
  )
}

const brackets = (from: number, to: number, y: number, stroke: string) =>
  outline(`M${from} ${y - 4}q-9 15 0 30M${to} ${y - 4}q9 15 0 30`, stroke)

const NAME = rect(220, 108, 150, 22, PAPER, 6)
const [NUMBER_AT, BRACKETS_AT] = [224, 428]

export const FIGURES = {
  /** The first of two numbers below the name, of which the second stands in brackets. */
  'profile-id': {
    ground: '#ffe9a0',
    art:
      SCREEN +
      TAPPED +
      PORTRAIT +
      NAME +
      marked(212, 156, 164) +
      digits(NUMBER_AT, 166, 9, INK) +
      brackets(420, 498, 166, PALE) +
      digits(BRACKETS_AT, 166, 4, PALE),
  },
  /** The second, in brackets. */
  'profile-zone': {
    ground: '#ffe9a0',
    art:
      SCREEN +
      TAPPED +
      PORTRAIT +
      NAME +
      digits(NUMBER_AT, 166, 9, PALE) +
      marked(400, 156, 118) +
      brackets(420, 498, 166, INK) +
      digits(BRACKETS_AT, 166, 4, INK),
  },
  /** The only number, below the name beside a portrait. */
  'below-name': {
    ground: '#dbf0fa',
    art:
      SCREEN +
      TAPPED +
      PORTRAIT +
      circle(254, 140, 34, PALE) +
      rect(308, 108, 170, 22, PAPER, 6) +
      marked(298, 146, 184) +
      digits(312, 156, 10, INK),
  },
} as const satisfies Record<string, { readonly ground: string; readonly art: string }>

export type FigureName = keyof typeof FIGURES
export const FIGURE_NAMES = Object.keys(FIGURES) as [FigureName, ...FigureName[]]

export function figure(name: FigureName): string {
  const { ground, art } = FIGURES[name]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400">${rect(0, 0, 640, 400, ground)}${art}</svg>`
}
