/**
 * Writes src/platform/i18n/keys.ts: the union of all message keys, from locales/en, so that a wrong key does not compile.
 * `--check` fails when the committed file differs.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

const TARGET = join(PROJECT_ROOT, 'src/platform/i18n/keys.ts')
const FOLDER = join(PROJECT_ROOT, 'locales/en')

const areas = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort()
let text = '/* Generated from locales/en by scripts/message-keys.ts: do not edit. */\n'
text += `/** One file of locales/<lang>: the texts of one part of the shop. */\nexport type MessageArea = ${areas.map((name) => `'${name.slice(0, -5)}'`).join(' | ')}\n\n`
text += 'export type MessageKey =\n'
for (const name of areas) {
  const keys = Object.keys(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, string>)
  for (const key of keys) text += `  | '${key}'\n`
}
if (!process.argv.includes('--check')) writeFileSync(TARGET, text)
else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('src/platform/i18n/keys.ts does not match locales/en; run npm run messages:keys')
  process.exitCode = 1
}
