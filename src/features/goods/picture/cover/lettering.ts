import {
  BREAKS,
  GLYPHS,
  KERNING,
  MARKS,
  MARK_RISE,
  SPELLED,
  SQUARE_GLYPHS,
  type Glyph,
  type Voice,
} from './alphabet.ts'
import { n1 } from './shapes.ts'

const SPACE = 0.3

/** A letter and the marks it carries. */
interface Sign {
  readonly letter: string
  readonly marks: readonly string[]
}

function signsOf(text: string): Sign[] {
  const signs: { letter: string; marks: string[] }[] = []
  const spelled = Array.from(text, (char) => SPELLED[char] ?? char).join('')
  for (const char of spelled.normalize('NFD')) {
    if (/\p{Mn}/u.test(char)) signs.at(-1)?.marks.push(char)
    else signs.push({ letter: char, marks: [] })
  }
  return signs
}

/** Whether the alphabet has all of a text; else system type sets it. */
export function isDrawable(text: string): boolean {
  return signsOf(text).every(
    ({ letter, marks }) =>
      (letter === ' ' || find(GLYPHS, letter) !== undefined) && marks.every((mark) => MARKS[mark]),
  )
}

/** Whether a letter rises above the cap line. */
export function isRaised(text: string): boolean {
  return signsOf(text).some(
    ({ letter, marks }) =>
      marks.some((mark) => mark !== '\u0327') && letter !== letter.toLowerCase(),
  )
}

export const hasDescender = (text: string): boolean => /[gjpqy,]/.test(text)

function find(glyphs: Readonly<Record<string, Glyph>>, letter: string): Glyph | undefined {
  return glyphs[letter] ?? glyphs[letter.toUpperCase()]
}

function glyphOf(letter: string, voice: Voice): Glyph {
  const square = voice.look === 'square' ? find(SQUARE_GLYPHS, letter) : undefined
  return square ?? find(GLYPHS, letter) ?? [0, '']
}

/** Skeleton of a letter with its marks. */
function skeletonOf({ letter, marks }: Sign, voice: Voice): Glyph {
  const [width, path] = glyphOf(letter, voice)
  if (marks.length === 0) return [width, path]
  const isCapital = letter !== letter.toLowerCase()
  const bare = marks.includes('\u0327') ? path : path.replace(/M(\d+) 2L\1 4$/, '')
  const drawn = marks.map((mark) => {
    const rise = isCapital && mark !== '\u0327' ? MARK_RISE : 0
    return mapPath(
      MARKS[mark] ?? '',
      (x) => x + width / 2,
      (y) => y - rise,
      1,
      1,
    )
  })
  return [width, bare + drawn.join('')]
}

/** Every place of a path through `fx` and `fy`, radii by `kx` and `ky`. */
function mapPath(
  path: string,
  fx: (x: number) => number,
  fy: (y: number) => number,
  kx: number,
  ky: number,
): string {
  return path.replace(/([MLAC])([^MLACZ]*)/g, (_, command: string, rest: string) => {
    const n = rest.trim().split(/[ ,]+/).map(Number)
    if (command !== 'A')
      return command + n.map((value, at) => n1(at % 2 ? fy(value) : fx(value))).join(' ')
    const [rx = 0, ry = 0, , large = 0, sweep = 0, x = 0, y = 0] = n
    return `A${n1(rx * kx)} ${n1(ry * ky)} 0 ${large} ${sweep} ${n1(fx(x))} ${n1(fy(y))}`
  })
}

function kerning(one: Sign, next: Sign | undefined, voice: Voice): number {
  if (voice.look === 'square' || !next) return 0
  const pair = one.letter + next.letter
  const usual = one.letter === 'T' || next.letter === 'T' ? -0.045 : 0
  return (KERNING[pair] ?? usual) * (0.5 + voice.width / 2)
}

interface Placed {
  readonly sign: Sign
  /** Left edge and width in cap heights. */
  readonly x: number
  readonly width: number
}

function place(text: string, voice: Voice): { signs: Placed[]; width: number } {
  const signs = signsOf(text)
  const placed: Placed[] = []
  let x = 0
  let end = 0
  signs.forEach((sign, at) => {
    if (sign.letter === ' ') {
      x += SPACE
      return
    }
    const width =
      (glyphOf(sign.letter, voice)[0] / 100) * voice.width * (1 - voice.weight) + voice.weight
    placed.push({ sign, x, width })
    end = x + width
    x = end + voice.track + kerning(sign, signs[at + 1], voice)
  })
  return { signs: placed, width: end }
}

/** Width of a line in cap heights. */
export function measure(text: string, voice: Voice): number {
  return place(text, voice).width
}

/** Width of the widest glyph of a line in cap heights. */
export function widestGlyph(text: string, voice: Voice): number {
  return Math.max(0, ...place(text, voice).signs.map(({ width }) => width))
}

/** Path of a line whose top left corner is (x, y), to be stroked with `cap × weight`. */
export function linePath(text: string, x: number, y: number, cap: number, voice: Voice): string {
  const k = cap * (1 - voice.weight)
  const half = (cap * voice.weight) / 2
  return place(text, voice)
    .signs.map(({ sign, x: at }) =>
      mapPath(
        skeletonOf(sign, voice)[1],
        (gx) => x + at * cap + half + (gx / 100) * voice.width * k,
        (gy) => y + half + (gy / 100) * k,
        (voice.width * k) / 100,
        k / 100,
      ),
    )
    .join('')
}

/** Middles of the stencil's bridges in a line that begins at x. */
export function bridges(text: string, x: number, cap: number, voice: Voice): number[] {
  return place(text, voice).signs.flatMap(({ sign, x: at, width }) => {
    const share = BREAKS[sign.letter]
    return share === undefined ? [] : [x + (at + width * share) * cap]
  })
}
