import { setImmediate } from 'node:timers/promises'
import type { Font, GlyphRun } from 'fontkit'
import type { LanguageCode } from '#kernel/language.ts'
import { BURMESE_FEATURES, drawnOrder } from './burmese.ts'
import {
  familiesOf,
  isBurmese,
  isOpen,
  openFont,
  partsFor,
  type FontPart,
  type Weight,
} from './fonts.ts'

/** A stretch of text that one font draws. */
export interface Run {
  readonly part: FontPart
  readonly text: string
}

/** Text set in Noto Sans, whose scripts lie in families and files of their own. */
export interface Typeface {
  /** What of a text can be drawn, by font, in the text's own order; characters in no file are left out. */
  readonly runsOf: (text: string, weight: Weight) => readonly Run[]
  /** In points. */
  readonly widthOf: (runs: readonly Run[], weight: Weight, size: number) => number
  /** As a document takes it: what it has shaped once it does not shape again. */
  readonly fontOf: (run: Run, weight: Weight) => Font
}

const SIGNS = new Intl.Segmenter()

/** What a font's shaping is given to draw a stretch. It is given features even where it wants none of its own: then it takes the stretch whole, not word by word. */
export function shapingOf({ part, text }: Run): {
  readonly text: string
  readonly features: string[]
} {
  return isBurmese(part)
    ? { text: drawnOrder(text), features: BURMESE_FEATURES }
    : { text, features: [] }
}

/**
 * A typeface for one document, its fonts open for the texts that it will hold. Between two files that have to be opened others
 * have their turn.
 */
export async function createTypeface(
  language: LanguageCode,
  texts: Iterable<string>,
): Promise<Typeface> {
  const families = familiesOf(language)
  const found = new Map<string, FontPart | null>()
  const fonts = new Map<string, Font>()
  const hasGlyphs = (part: FontPart, weight: Weight, text: string) =>
    [...text].every((char) => openFont(part, weight).hasGlyphForCodePoint(char.codePointAt(0) ?? 0))
  const partFor = (char: string, weight: Weight): FontPart | null => {
    let part = found.get(char)
    if (part === undefined) {
      const codePoint = char.codePointAt(0) ?? 0
      part =
        families
          .values()
          .flatMap((family) => partsFor(family, codePoint))
          .find((candidate) => openFont(candidate, weight).hasGlyphForCodePoint(codePoint)) ?? null
      found.set(char, part)
    }
    return part
  }
  const fontOf = ({ part }: Pick<Run, 'part'>, weight: Weight): Font => {
    const name = `${part.name}-${weight}`
    let font = fonts.get(name)
    if (!font) fonts.set(name, (font = withMemory(openFont(part, weight))))
    return font
  }
  for (const char of new Set([...texts].flatMap((text) => [...drawable(text)]))) {
    for (const part of families.flatMap((family) => partsFor(family, char.codePointAt(0) ?? 0)))
      if (!isOpen(part, 400)) await setImmediate()
    partFor(char, 400)
  }
  return {
    runsOf(text, weight) {
      const runs: { part: FontPart; text: string }[] = []
      for (const { segment } of SIGNS.segment(drawable(text))) {
        const last = runs.at(-1)
        // What stands in several files, as a blank does, stays with the script around it.
        const part =
          last && hasGlyphs(last.part, weight, segment)
            ? last.part
            : partFor(String.fromCodePoint(segment.codePointAt(0) ?? 0), weight)
        if (part === null) continue
        if (last?.part === part) last.text += segment
        else runs.push({ part, text: segment })
      }
      return runs
    },
    widthOf: (runs, weight, size) =>
      runs.reduce((width, run) => {
        const font = fontOf(run, weight)
        const { text, features } = shapingOf(run)
        return width + (font.layout(text, features).advanceWidth / font.unitsPerEm) * size
      }, 0),
    fontOf,
  }
}

/** A document asks for the shape of each text several times, and changes the positions it is given. */
function withMemory(font: Font): Font {
  const shaped = new Map<string, GlyphRun>()
  const layout = (text: string, features: string[]): GlyphRun => {
    let run = shaped.get(text)
    if (!run) shaped.set(text, (run = font.layout(text, features)))
    return Object.assign(Object.create(Object.getPrototypeOf(run) as object) as GlyphRun, run, {
      positions: run.positions.map((position) => ({ ...position })),
    })
  }
  return Object.create(font, { layout: { value: layout } }) as Font
}

/** Blanks that formatting puts between figures are in no font; marks of direction have nothing to draw. */
function drawable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00a0\u202f\u2007\u2009]/g, ' ')
    .replace(/[\u200b\u200e\u200f\u061c\u2066-\u2069]/g, '')
}
