import { VOICES, type VoiceName } from './alphabet.ts'
import { hash } from './hash.ts'
import { GROUND_INKS, groundsNear, INKS, inkOn, inksOn, type GroundInk, type Inks } from './inks.ts'
import { measure } from './lettering.ts'
import { MOTIF_NAMES, standOf, type MotifName } from './motif.ts'
import { letteringOf, LONG_LINE } from './names.ts'
import type { CoverDesign, CoverKind, Ground, Layout, PartialDesign } from './recipe.ts'
import { sheetOf } from './sheet.ts'
import {
  CATEGORY_VOICES,
  GENERAL_POOL,
  OPERATOR_POOL,
  PLATFORM_CATEGORIES,
  POOLS,
  RESERVED,
  SUBJECTS,
  USUAL_VOICES,
} from './subjects.ts'
import { capOf, wordsOf } from './title.ts'

/** Whose cover it is. */
export interface CoverSubject {
  readonly code: string
  readonly name: string
  readonly kind: CoverKind
  readonly color?: string | undefined
  readonly short?: string | undefined
  readonly categories: readonly string[]
}

/** Covers beside it in the order of the catalogue, the nearest last. */
export interface Neighbours {
  readonly before: readonly PartialDesign[]
  readonly after: readonly PartialDesign[]
}

/** How far covers look to either side: none of these has the same motif. */
export const REACH = 10
/** Columns of a list on most screens: what stands above and below. */
const COLUMNS = 5
/** Never more than this many of one layout in a row, but for the plain one. */
export const LAYOUT_RUN = 4
const ALONE: Neighbours = { before: [], after: [] }

/**
 * The design of a brand nobody has drawn one for, or what is missing of it: motif by the words of its name, then by its category;
 * ground by its colour; the rest by independent bits of its code's hash. It depends on the neighbours, so it is chosen once and
 * stored: a brand that comes later repaints none.
 */
export function chooseDesign(
  subject: CoverSubject,
  given: PartialDesign,
  near: Neighbours = ALONE,
): CoverDesign {
  if (isWhole(given)) return given
  const h = hash(subject.code)
  const category = subject.categories.filter((code) => !PLATFORM_CATEGORIES.has(code)).at(-1) ?? ''
  const motif = given.motif ?? chooseMotif(subject, category, near)
  const inks = (given.inks as Inks | undefined) ?? chooseInks(subject, h, near)
  const layout = given.layout ?? chooseLayout(motif, h, near)
  const { title, ground } = given.layout
    ? ({ title: 'foot', ground: 'plain' } as const)
    : chooseFigure(motif, layout, h)
  const { voice, lines } = chooseLettering(subject, category, h, given)
  const chosen = { ...given, motif, inks: [...inks], layout, voice, lines }
  const set = { ...chosen, title: given.title ?? title, ground: given.ground ?? ground }
  const [ground1, , band] = inks
  const behind = INKS[layout === 'horizon' ? band : ground1]
  return { ...set, ink: given.ink ?? inkOn(behind, inks) }
}

function isWhole(design: PartialDesign): design is CoverDesign {
  const { motif, inks, ink, voice, lines, layout, title, ground } = design
  return Boolean(motif && inks && ink && voice && lines && layout && title && ground)
}

function chooseMotif(subject: CoverSubject, category: string, near: Neighbours): MotifName {
  const isOperator = subject.kind === 'sim' || subject.kind === 'data'
  const said = isOperator ? undefined : SUBJECTS.find(([words]) => words.test(subject.name))?.[1]
  const pool = isOperator
    ? inTurn(OPERATOR_POOL, near.before.at(-1)?.motif ?? shuffled(subject.code, OPERATOR_POOL)[0])
    : shuffled(subject.code, POOLS[category] ?? GENERAL_POOL)
  const lists: readonly (() => readonly MotifName[])[] = [
    () => (said ? [said] : []),
    () => pool,
    () => shuffled(subject.code, GENERAL_POOL),
    () => shuffled(subject.code, MOTIF_NAMES),
  ]
  // Operators have eight motifs and a list of their own for each country.
  const reach = isOperator ? OPERATOR_POOL.length - 1 : REACH
  const taken = new Set(
    [...near.before.slice(-reach), ...near.after.slice(-reach)].map(({ motif }) => motif),
  )
  const isAllowed = (motif: MotifName) =>
    !taken.has(motif) && (RESERVED[motif]?.(subject.name, category) ?? true)
  const fits = (motif: MotifName) => {
    const layout = layoutOf(motif)
    return isAllowed(motif) && (layout === null || !isTooMany(layout, near))
  }
  for (const list of lists) {
    const found = list().find(fits)
    if (found) return found
  }
  return MOTIF_NAMES.find(isAllowed) ?? 'kettle'
}

/** A ranking of its own for each brand. */
function shuffled<T extends string>(code: string, list: readonly T[]): T[] {
  return list
    .map((entry) => [hash(code + entry), entry] as const)
    .sort(([a], [b]) => a - b)
    .map(([, entry]) => entry)
}

/** From the one after the last that was used. */
function inTurn<T extends string>(list: readonly T[], last: string | undefined): T[] {
  const from = list.findIndex((entry) => entry === last) + 1
  return [...list.slice(from), ...list.slice(0, from)]
}

function chooseInks(subject: CoverSubject, h: number, near: Neighbours): Inks {
  const beside = [
    near.before.at(-1),
    near.after.at(-1),
    near.before.at(-COLUMNS),
    near.after.at(-COLUMNS),
  ].map((design) => design?.inks?.[0])
  const grounds: readonly GroundInk[] = subject.color
    ? groundsNear(subject.color)
    : shuffled(subject.code, GROUND_INKS)
  const ground = grounds.find((ink) => !beside.includes(ink)) ?? grounds[0] ?? 'paper'
  return inksOn(ground, h >>> 7)
}

const layoutOf = (motif: MotifName): Layout | null => {
  const stand = standOf(motif)
  return stand === 'object' ? null : stand
}

const OBJECT_LAYOUTS = ['centre', 'centre', 'big', 'right', 'diagonal'] as const

function chooseLayout(motif: MotifName, h: number, near: Neighbours): Layout {
  const fixed = layoutOf(motif)
  if (fixed) return fixed
  const layout = OBJECT_LAYOUTS[(h >>> 15) % OBJECT_LAYOUTS.length] ?? 'centre'
  return isTooMany(layout, near) ? 'centre' : layout
}

/** One more of it between these neighbours would be one too many in a row. */
function isTooMany(layout: Layout, { before, after }: Neighbours): boolean {
  if (layout === 'centre') return false
  const run = (list: readonly PartialDesign[]) =>
    [...list].reverse().findIndex((design) => design.layout !== layout)
  const length = (list: readonly PartialDesign[]) => (run(list) < 0 ? list.length : run(list))
  return length(before) + length(after) >= LAYOUT_RUN
}

const FIGURES = ['plain', 'plain', 'sun', 'rays', 'diagonal', 'split'] as const

function chooseFigure(
  motif: MotifName,
  layout: Layout,
  h: number,
): { title: 'top' | 'foot'; ground: Ground } {
  const isHead = standOf(motif) === 'object' && layout !== 'diagonal' && (h >>> 19) % 5 === 0
  return {
    title: isHead ? 'top' : 'foot',
    ground:
      layout === 'diagonal'
        ? 'diagonal'
        : layout === 'centre'
          ? (FIGURES[(h >>> 21) % FIGURES.length] ?? 'plain')
          : 'plain',
  }
}

/** Thin letters need size, small ones a heavier voice. */
const FINE_CAP = 30

function chooseLettering(
  { name, short }: CoverSubject,
  category: string,
  h: number,
  given: PartialDesign,
): { voice: VoiceName; lines: string[] } {
  const voices = CATEGORY_VOICES[category] ?? USUAL_VOICES
  const first = given.voice ?? voices[(h >>> 11) % voices.length] ?? 'soft'
  const linesIn = (voice: VoiceName) => given.lines ?? letteringOf(short ?? name, voice)
  if (given.voice) return { voice: first, lines: linesIn(first) }
  const sheet = sheetOf('3:4', { isSmall: false, isMirrored: false })
  const longest = (voice: VoiceName) =>
    Math.max(...linesIn(voice).map((line) => measure(wordsOf(line).text, VOICES[voice])))
  const cap = capOf(linesIn(first).map(wordsOf), VOICES[first], sheet)
  const isPoor = longest(first) > LONG_LINE || (first === 'fine' && cap < FINE_CAP)
  const voice = isPoor ? 'tall' : first
  return { voice, lines: linesIn(voice) }
}
