import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'
import { commandsOf } from './shell.ts'

/** Whatever an owner or operator may read: the documents, and the pages of the services. */
export const PAGES_WITH_COMMANDS = globSync(
  [
    'README.md',
    'CONTRIBUTING.md',
    'docs/{catalogue-format,faults}.md',
    'docs/operating/*.md',
    'src/providers/*/*/README.md',
  ],
  { cwd: PROJECT_ROOT },
).toSorted()

/** What a page writes as code within its prose and tables. */
export function readSpans(page: string): readonly string[] {
  const text = readFileSync(join(PROJECT_ROOT, page), 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/^ {4}.*$/gm, '')
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll(/\s+/g, ' '))
}

/** Commands of the program within a page's prose and tables, each as its words. */
export function readInlineCommands(page: string): readonly (readonly string[])[] {
  return readSpans(page)
    .filter((span) => span.includes('npm run cli -- '))
    .flatMap((span) => commandsOf(placed(span)))
    .map(({ words }) => words.slice(words.indexOf('--') + 1))
}

/** Stands for what the reader is to put in the place of … and <…>. */
export const LEFT_OUT = 'x'

export const placed = (text: string) =>
  text.replaceAll('…', LEFT_OUT).replaceAll(/<[a-z -]+>/g, LEFT_OUT)
