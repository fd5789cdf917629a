import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

/** A copy of the project to change: its sources are its own, the installed packages those of the project. */
export interface ScratchCopy {
  readonly root: string
  readonly read: (file: string) => string
  readonly write: (file: string, text: string) => void
  /** Replaces a piece of a file, which must be there. */
  readonly edit: (file: string, piece: string, by: string) => void
  readonly remove: () => void
}

const COPIED = [
  'src',
  'locales',
  'scripts',
  'db',
  'catalogue',
  'docs',
  'bench',
  'test',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
]

export function makeScratchCopy(): ScratchCopy {
  const root = mkdtempSync(join(tmpdir(), 'lukado-copy-'))
  for (const name of COPIED) cpSync(join(PROJECT_ROOT, name), join(root, name), { recursive: true })
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  return {
    root,
    read,
    write,
    edit: (file, piece, by) => {
      const before = read(file)
      if (!before.includes(piece)) throw new Error(`${file} does not contain ${piece}`)
      write(
        file,
        before.replace(piece, () => by),
      )
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
