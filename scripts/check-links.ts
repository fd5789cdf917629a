/** What the documents name is there: linked files, headings, paths in code marks, and npm scripts. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const scripts = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
).scripts
const NPM_OWN = new Set(['sbom', 'audit', 'ci', 'test', 'start'])
/** Beginnings of paths that stand in the project; anything else in code marks may be an address or a command. */
const OWN_PATH = /^(?:src|scripts|docs|db|test|bench|locales|catalogue)\/[\w./<>*-]+$/

const problems: string[] = []
for (const file of documents()) checkDocument(file)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function documents(): string[] {
  const top = readdirSync(ROOT)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(ROOT, name))
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md'),
  )
  const beside = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(ROOT, 'src', name))
  return [...top, ...below.map((name) => join(ROOT, 'docs', name)), ...beside]
}

function checkDocument(file: string): void {
  const text = readFileSync(file, 'utf8')
  const say = (what: string) => problems.push(`${relative(ROOT, file)}: ${what}`)
  if ((text.match(/^# /gm) ?? []).length !== 1) say('a document has exactly one title')
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(?:https?:|mailto:)/.test(target)) continue
    const [path = '', anchor] = target.split('#')
    const linked = path === '' ? file : join(dirname(file), path)
    if (!existsSync(linked)) say(`${target} does not exist`)
    else if (anchor && !headings(linked).includes(anchor)) say(`${target}: no such heading`)
  }
  for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
    if (OWN_PATH.test(code) && !/[<*]/.test(code) && !existsSync(join(ROOT, code)))
      say(`\`${code}\` does not exist`)
    const script = /^npm (?:run )?([\w:-]+)/.exec(code)?.[1]
    if (script && code.startsWith('npm run ') && !(script in scripts))
      say(`\`${code}\`: no such script`)
    else if (script && !code.startsWith('npm run ') && !NPM_OWN.has(script) && !(script in scripts))
      say(`\`${code}\`: no such script`)
  }
}

function headings(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
