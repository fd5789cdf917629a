import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of the installation: the nearest one above this file that holds package.json. The same from the sources and
 * from the built server, which lies deeper.
 */
export const PROJECT_ROOT = findRoot(import.meta.dirname)

function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`No package.json above ${start}`)
  }
}
