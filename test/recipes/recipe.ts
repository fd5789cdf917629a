import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ScratchCopy } from '../support/scratch-copy.ts'

/** A recipe of CONTRIBUTING.md being followed on a copy of the project, and what it touches there. */
export interface Recipe {
  /** A new file. */
  readonly add: (file: string, text: string) => void
  /** A line more (or what little it takes) in a file that there is. */
  readonly edit: (file: string, piece: string, by: string) => void
  /** Texts under new keys in every language, taken from texts of other keys. */
  readonly texts: (area: string, from: Readonly<Record<string, string>>) => void
  /** Files outside the recipe's own folder, texts apart. */
  readonly outside: () => readonly string[]
}

export function followRecipe(copy: ScratchCopy, own: string): Recipe {
  const touched = new Set<string>()
  return {
    add: (file, text) => {
      touched.add(file)
      mkdirSync(dirname(join(copy.root, file)), { recursive: true })
      copy.write(file, text)
    },
    edit: (file, piece, by) => {
      touched.add(file)
      copy.edit(file, piece, by)
    },
    texts: (area, from) => {
      for (const language of readdirSync(join(copy.root, 'locales'))) {
        const file = `locales/${language}/${area}.json`
        const texts = JSON.parse(copy.read(file)) as Record<string, string>
        const more = Object.entries(from).map(([key, other]) => [key, texts[other] ?? ''])
        copy.write(file, `${JSON.stringify({ ...texts, ...Object.fromEntries(more) }, null, 2)}\n`)
      }
    },
    outside: () => [...touched].filter((file) => !file.startsWith(own)).sort(),
  }
}
