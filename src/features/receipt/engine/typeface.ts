import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import { PROJECT_ROOT } from '#platform/project.ts'

export type Weight = 400 | 700

/** A stretch of text that one font file draws. */
export interface Run {
  readonly font: string
  readonly text: string
}

/** Text set in Noto Sans, whose scripts lie in files of their own. */
export interface Typeface {
  /** What of a text can be drawn, by font; characters in none of the files are left out. */
  readonly runsOf: (text: string, weight: Weight) => readonly Run[]
  readonly widthOf: (runs: readonly Run[], size: number) => number
}

const SCRIPTS = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'devanagari'] as const
const FOLDER = join(PROJECT_ROOT, 'node_modules', '@fontsource', 'noto-sans', 'files')

interface FontFile {
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
}

const files = new Map<string, Buffer>()

function fileOf(script: string, weight: Weight): Buffer {
  const name = `noto-sans-${script}-${weight}-normal.woff`
  let file = files.get(name)
  if (!file) files.set(name, (file = readFileSync(join(FOLDER, name))))
  return file
}

/** Makes the fonts known to a document. A file is read when its first character is met. */
export function createTypeface(doc: InstanceType<typeof PDFDocument>): Typeface {
  const opened = new Map<string, FontFile>()
  const open = (script: string, weight: Weight): FontFile => {
    const name = `${script}-${weight}`
    let font = opened.get(name)
    if (!font) {
      doc.registerFont(name, fileOf(script, weight)).font(name)
      // The document keeps the font it has opened; its types do not say so.
      font = (doc as unknown as { _font: { font: FontFile } })._font.font
      opened.set(name, font)
    }
    return font
  }
  const scriptOf = (codePoint: number, weight: Weight) => SCRIPTS.find((script) => open(script, weight).hasGlyphForCodePoint(codePoint))
  return {
    runsOf(text, weight) {
      const runs: { font: string; text: string }[] = []
      for (const { segment } of new Intl.Segmenter().segment(drawable(text))) {
        const first = segment.codePointAt(0) ?? 0
        const last = runs.at(-1)
        // What stands in every file, as a blank does, stays with the script around it.
        const own = last && [...segment].every((char) => open(last.font.split('-').slice(0, -1).join('-'), weight).hasGlyphForCodePoint(char.codePointAt(0) ?? 0)) ? last.font : null
        const script = own === null ? scriptOf(first, weight) : undefined
        const font = own ?? (script === undefined ? null : `${script}-${weight}`)
        if (font === null) continue
        if (last?.font === font) last.text += segment
        else runs.push({ font, text: segment })
      }
      return runs
    },
    widthOf: (runs, size) => runs.reduce((width, run) => width + doc.font(run.font).fontSize(size).widthOfString(run.text), 0),
  }
}

/** Blanks that formatting puts between figures are in no font; marks of direction have nothing to draw. */
function drawable(text: string): string {
  return text.normalize('NFC').replace(/[\u00a0\u202f\u2007\u2009]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '')
}
