import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

/** Something that a page shows to be typed or copied. */
export interface Block {
  readonly page: string
  /** Of its first line, counted from 1. */
  readonly line: number
  readonly text: string
}

const PAGES = [
  'README.md',
  ...readdirSync(join(PROJECT_ROOT, 'docs', 'operating')).map((name) => `docs/operating/${name}`),
].filter((name) => name.endsWith('.md'))

/** Every example of README and docs/operating: between fences, or indented by four spaces. */
export function readBlocks(): readonly Block[] {
  return PAGES.flatMap((page) => blocksOf(page, readFileSync(join(PROJECT_ROOT, page), 'utf8')))
}

function blocksOf(page: string, text: string): readonly Block[] {
  const blocks: { page: string; line: number; text: string }[] = []
  let open: 'fence' | 'indent' | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) {
      open = open === 'fence' ? null : 'fence'
      if (open) blocks.push({ page, line: index + 2, text: '' })
      continue
    }
    if (open !== 'fence') {
      const isIndented = line.startsWith('    ')
      if (isIndented && open === null) blocks.push({ page, line: index + 1, text: '' })
      open = isIndented ? 'indent' : null
    }
    const block = blocks.at(-1)
    if (open !== null && block) block.text += `${open === 'indent' ? line.slice(4) : line}\n`
  }
  return blocks
}
