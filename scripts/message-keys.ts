/** Writes src/platform/i18n/keys.ts: the union of all message keys, from locales/en, so that a wrong key does not compile. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

export const KEYS_FILE = join(PROJECT_ROOT, 'src/platform/i18n/keys.ts')
const FOLDER = join(PROJECT_ROOT, 'locales/en')

if (import.meta.main) writeFileSync(KEYS_FILE, renderKeys())

/** What the file should hold for the English texts as they are. */
export function renderKeys(): string {
  const areas = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const names = areas.map((name) => `  | '${name.slice(0, -'.json'.length)}'`)
  const keys = areas.flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, string>),
  )
  return [
    '/* Generated from locales/en by `npm run messages:keys`: do not edit. */',
    '/** One file of locales/<lang>: the texts of one part of the shop. */',
    'export type MessageArea =',
    ...names,
    '',
    'export type MessageKey =',
    ...keys.map((key) => `  | '${key}'`),
    '',
  ].join('\n')
}
