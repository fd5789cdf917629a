import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'

export const LEGAL_CODES = REQUIRED_TEXTS
export type LegalCode = (typeof LEGAL_CODES)[number]

export interface LegalSection {
  readonly heading?: string
  readonly paragraphs: readonly string[]
}

export const TITLE_MAX = 200
export const TEXT_MAX = 60_000
const HEADING_MAX = 200
const PARAGRAPH_MAX = 4_000
const SECTIONS_MAX = 100

/** A text as people type it: a heading is a line that begins with #, paragraphs have an empty line between them. */
export function writtenText(sections: readonly LegalSection[]): string {
  return sections
    .flatMap(({ heading, paragraphs }) => [
      ...(heading === undefined ? [] : [`# ${heading}`]),
      ...paragraphs,
    ])
    .join('\n\n')
}

/** @returns null where it is no text that a page can be made of: nothing, too much, or a heading with nothing below it */
export function sectionsOf(text: string): readonly LegalSection[] | null {
  const sections: { heading?: string; paragraphs: string[] }[] = []
  for (const block of blocksOf(text)) {
    const heading = /^#+\s*(.+)$/.exec(block)?.[1]?.trim()
    if (heading !== undefined) {
      if (heading.length > HEADING_MAX) return null
      sections.push({ heading, paragraphs: [] })
      continue
    }
    if (block.length > PARAGRAPH_MAX) return null
    if (sections.length === 0) sections.push({ paragraphs: [] })
    sections.at(-1)?.paragraphs.push(block)
  }
  const isWhole =
    sections.length > 0 &&
    sections.length <= SECTIONS_MAX &&
    sections.every(({ paragraphs }) => paragraphs.length > 0)
  return isWhole ? sections : null
}

/** A line that begins with # stands alone, whatever is around it. */
function blocksOf(text: string): readonly string[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^(#.*)$/gm, '\n$1\n')
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
}
