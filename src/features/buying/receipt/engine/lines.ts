import bidiFactory from 'bidi-js'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import type { Weight } from './fonts.ts'
import type { Run, Typeface } from './typeface.ts'

/** The package gives the function itself; its types put it one step further in. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
/** Hebrew and Arabic, with their forms for display. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/u
const LEFT_TO_RIGHT = /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u

type Direction = 'ltr' | 'rtl'

/** The runs of one line from left to right as they are seen (Unicode Bidirectional Algorithm). */
export function visualRuns(
  face: Typeface,
  line: string,
  weight: Weight,
  around: Direction,
): readonly Run[] {
  if (!RIGHT_TO_LEFT.test(line)) return face.runsOf(line, weight)
  // A line of one direction keeps it: an Arabic name in an English address, say.
  const base = LEFT_TO_RIGHT.test(line) ? around : 'rtl'
  return stretches(line, base).flatMap(({ text, isRtl }) =>
    isRtl
      ? face.runsOf(mirrored(text), weight).map(asSeen).toReversed()
      : face.runsOf(text, weight),
  )
}

interface Stretch {
  /** In the order in which it is read. */
  readonly text: string
  readonly isRtl: boolean
}

function stretches(line: string, base: Direction): readonly Stretch[] {
  const levels = bidi.getEmbeddingLevels(line, base)
  const found: { start: number; end: number; level: number }[] = []
  for (const index of bidi.getReorderedIndices(line, levels)) {
    const level = levels.levels[index] ?? 0
    const last = found.at(-1)
    if (
      last &&
      last.level === level &&
      (level % 2 === 1 ? index === last.start - 1 : index === last.end)
    ) {
      if (level % 2 === 1) last.start = index
      else last.end = index + 1
    } else found.push({ start: index, end: index + 1, level })
  }
  return found.map(({ start, end, level }) => ({
    text: line.slice(start, end),
    isRtl: level % 2 === 1,
  }))
}

const mirrored = (text: string) =>
  [...text].map((char) => bidi.getMirroredCharacter(char) ?? char).join('')

/** Shaping turns letters that run from right to left; signs alone it leaves as they are read. */
const asSeen = (run: Run): Run =>
  RIGHT_TO_LEFT.test(run.text) ? run : { ...run, text: [...run.text].toReversed().join('') }

/** Scripts that put no blank between words. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Myanmar}]/u
const ENDS_OPEN = /[\p{Ps}\p{Pi}]$/u
const STARTS_CLOSED = /^[\p{Pe}\p{Pf}\p{Po}\s]/u

const SIGNS = new Intl.Segmenter()
const segmenters = new Map<LanguageCode, Intl.Segmenter>()

function wordsOf(language: LanguageCode): Intl.Segmenter {
  let segmenter = segmenters.get(language)
  if (!segmenter)
    segmenters.set(
      language,
      (segmenter = new Intl.Segmenter(getLanguage(language).tag, { granularity: 'word' })),
    )
  return segmenter
}

/** Pieces between which a line may break. Blanks stay with what they follow. */
export function piecesOf(text: string, language: LanguageCode): readonly string[] {
  const pieces: string[] = []
  for (const { segment } of wordsOf(language).segment(text)) {
    const last = pieces.at(-1)
    const isBreak =
      last !== undefined &&
      !STARTS_CLOSED.test(segment) &&
      !ENDS_OPEN.test(last) &&
      (/\s$/.test(last) ||
        WITHOUT_BLANKS.test([...last].at(-1) ?? '') ||
        WITHOUT_BLANKS.test(segment))
    if (last === undefined || isBreak) pieces.push(segment)
    else pieces[pieces.length - 1] = last + segment
  }
  return pieces
}

/** Lines of a text that are no wider than that; a piece that is wider goes on in the next. */
export function linesOf(
  pieces: readonly string[],
  width: number,
  widthOf: (text: string) => number,
): readonly string[] {
  const lines: { text: string; width: number }[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    if (last && last.width + widthOf(piece.trimEnd()) <= width) {
      last.text += piece
      last.width += widthOf(piece)
    } else
      lines.push(
        ...(widthOf(piece.trimEnd()) <= width ? [piece] : cut(piece, width, widthOf)).map(
          (text) => ({ text, width: widthOf(text) }),
        ),
      )
  }
  return lines.map(({ text }) => text.trim()).filter((line) => line !== '')
}

function cut(piece: string, width: number, widthOf: (text: string) => number): string[] {
  const parts = ['']
  for (const { segment } of SIGNS.segment(piece)) {
    const longer = (parts[parts.length - 1] ?? '') + segment
    if (parts.at(-1) === '' || widthOf(longer) <= width) parts[parts.length - 1] = longer
    else parts.push(segment)
  }
  return parts
}
