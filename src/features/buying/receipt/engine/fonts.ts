import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import { LRUCache } from 'lru-cache'
import type { LanguageCode } from '#kernel/language.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { encodeOutline } from './outline.ts'
import { unpackWoff2 } from './woff2.ts'

export type Weight = 400 | 700

/** A file of a family: characters of one script, or a hundred of the thousands that a script has. */
export interface FontPart {
  /** Unlike any other part's. */
  readonly name: string
  readonly family: Family
  readonly file: string
}

interface Family {
  readonly folder: string
  /** Of the parts that are used, in the order in which they are looked through; null for all that have a number. */
  readonly parts: readonly string[] | null
}

const still = (name: string, parts: readonly string[]): Family => ({
  folder: `@fontsource/${name}`,
  parts,
})
const variable = (name: string): Family => ({ folder: `@fontsource-variable/${name}`, parts: null })

const [JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL] = [
  variable('noto-sans-jp'),
  variable('noto-sans-kr'),
  variable('noto-sans-sc'),
  variable('noto-sans-tc'),
]
const BURMESE = still('noto-sans-myanmar', ['myanmar'])
/** The last four draw the signs of taka, riel, dram and lari. */
const COMMON: readonly Family[] = [
  still('noto-sans', [
    'latin',
    'latin-ext',
    'vietnamese',
    'cyrillic',
    'cyrillic-ext',
    'greek',
    'greek-ext',
    'devanagari',
  ]),
  still('ibm-plex-sans-arabic', ['arabic']),
  still('noto-sans-thai', ['thai']),
  BURMESE,
  still('noto-sans-bengali', ['bengali']),
  still('noto-sans-khmer', ['khmer']),
  still('noto-sans-armenian', ['armenian']),
  still('noto-sans-georgian', ['georgian']),
]
/** The same character is written in its own way in each of these countries: a language's own family comes first. */
const EAST_ASIAN: Readonly<Partial<Record<LanguageCode, readonly Family[]>>> = {
  ja: [JAPANESE, TRADITIONAL, SIMPLIFIED, KOREAN],
  ko: [KOREAN, TRADITIONAL, JAPANESE, SIMPLIFIED],
  'zh-tw': [TRADITIONAL, SIMPLIFIED, JAPANESE, KOREAN],
}
const OTHERWISE: readonly Family[] = [SIMPLIFIED, JAPANESE, KOREAN, TRADITIONAL]

export function familiesOf(language: LanguageCode): readonly Family[] {
  return [...COMMON, ...(EAST_ASIAN[language] ?? OTHERWISE)]
}

export const isBurmese = ({ family }: FontPart): boolean => family === BURMESE

const indexes = new Map<Family, ReadonlyMap<number, readonly FontPart[]>>()

/** The parts of a family that may draw a character. A family's index is read when it is first asked. */
export function partsFor(family: Family, codePoint: number): readonly FontPart[] {
  let index = indexes.get(family)
  if (!index) indexes.set(family, (index = readIndex(family)))
  return index.get(codePoint) ?? []
}

function readIndex(family: Family): Map<number, FontPart[]> {
  const ranges = JSON.parse(readFileSync(join(folderOf(family), 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >
  const index = new Map<number, FontPart[]>()
  for (const key of family.parts ?? Object.keys(ranges).filter((name) => name.startsWith('['))) {
    const id = key.replace(/[[\]]/g, '')
    const part = { name: `${baseName(family)}-${id}`, family, file: id }
    for (const [start, end] of (ranges[key] ?? '').split(',').map(boundsOf)) {
      for (let codePoint = start; codePoint <= end; codePoint += 1) {
        const parts = index.get(codePoint)
        if (parts) parts.push(part)
        else index.set(codePoint, [part])
      }
    }
  }
  return index
}

/** "U+20AC" or "U+0100-02BA". */
function boundsOf(range: string): readonly [start: number, end: number] {
  const [start = '', end = start] = range.slice('U+'.length).split('-')
  return [Number.parseInt(start, 16), Number.parseInt(end, 16)]
}

const folderOf = ({ folder }: Family) => join(PROJECT_ROOT, 'node_modules', folder)
const baseName = ({ folder }: Family) => folder.split('/')[1] ?? ''

/** Opened fonts are kept: opening takes milliseconds, and what is common comes again. About 100 kB each. */
const kept = new LRUCache<string, Font>({ max: 300 })
const unpacked = new LRUCache<string, Font>({ max: 150 })

export const isOpen = (part: FontPart, weight: Weight): boolean =>
  kept.has(`${part.name}-${weight}`)

export function openFont(part: FontPart, weight: Weight): Font {
  const name = `${part.name}-${weight}`
  let font = kept.get(name)
  if (!font) {
    font =
      part.family.parts === null
        ? variableFont(part, weight)
        : fontOf(unpackWoff2(readPart(part, `${weight}-normal.woff2`)))
    // A document tells fonts apart by this name, and those of one family all have the same.
    Object.defineProperty(font, 'postscriptName', {
      value: `${part.name}-${weight === 700 ? 'Bold' : 'Regular'}`,
    })
    kept.set(name, font)
  }
  return font
}

function variableFont(part: FontPart, weight: Weight): Font {
  let font = unpacked.get(part.name)
  if (!font)
    unpacked.set(part.name, (font = fontOf(unpackWoff2(readPart(part, 'wght-normal.woff2')))))
  const instance = font.getVariation({ wght: weight })
  // What fontkit brings along to write an outline of a weight in between does not run.
  Object.defineProperty(instance, 'createSubset', {
    value: () =>
      Object.assign(font.createSubset.call(instance), {
        glyphEncoder: { encodeSimple: encodeOutline },
      }),
  })
  return instance
}

function readPart({ family, file }: FontPart, ending: string): Buffer<ArrayBuffer> {
  return readFileSync(join(folderOf(family), 'files', `${baseName(family)}-${file}-${ending}`))
}

function fontOf(file: Buffer): Font {
  const font = create(file)
  if (!('layout' in font)) throw new Error('a collection of fonts is not read')
  return font
}
