import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeAt, nodesAt, nodesOf, parseProgram, type Node } from './parsed-source.ts'

const STATUSES = ['met', 'met, no test', 'not met'] as const
const ID = /^\d{1,2}\.\d{1,2}\.\d{1,2}$/

export interface Sources {
  /** Level (1 or 2) of each requirement, by its number. */
  readonly levels: Readonly<Record<string, number>>
  /** The table, and where it stands below the project's root. */
  readonly table: string
  readonly place: string
  /** Text of a file by its path below the root; null where there is none. */
  readonly read: (path: string) => string | null
}

export function sourcesOf(root: string): Sources {
  const place = 'docs/security/asvs.md'
  const read = (path: string): string | null =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null
  return {
    levels: JSON.parse(read('scripts/asvs-ids.json') ?? '{}') as Record<string, number>,
    table: read(place) ?? '',
    place,
    read,
  }
}

/** What is wrong with the table: a requirement without a row or with two, a status that is none, a test or a chapter that is not there. */
export function problemsOf(sources: Sources): string[] {
  const rows = sources.table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
  const applying = rows.filter(([id = '']) => ID.test(id))
  const others = rows
    .filter(
      ([ids = '']) => ids.split(', ').every((id) => ID.test(id)) && rowLength(ids, rows) === 2,
    )
    .flatMap(([ids = '']) => ids.split(', '))
  const named = [...applying.filter((row) => row.length > 2).map(([id = '']) => id), ...others]
  return [
    ...Object.keys(sources.levels)
      .filter((id) => !named.includes(id))
      .map((id) => `${id} is not in the table`),
    ...named
      .filter((id, index) => named.indexOf(id) !== index)
      .map((id) => `${id} stands in the table twice`),
    ...named.filter((id) => !(id in sources.levels)).map((id) => `${id} is no requirement`),
    ...applying.filter((row) => row.length > 2).flatMap((row) => problemsOfRow(row, sources)),
  ]
}

function rowLength(ids: string, rows: readonly string[][]): number {
  return rows.find(([first]) => first === ids)?.length ?? 0
}

function problemsOfRow(row: readonly string[], sources: Sources): string[] {
  const [id = '', level, asks = '', status = '', how = '', shownBy = ''] = row
  const said = (problem: string) => `${id}: ${problem}`
  const problems: string[] = []
  if (Number(level) !== sources.levels[id]) problems.push(said('another level'))
  if (asks === '') problems.push(said('says not what it asks for'))
  if (!STATUSES.some((known) => known === status)) problems.push(said(`no status: ${status}`))
  if (status === 'met' && shownBy === '') problems.push(said('is met, and nothing shows it'))
  if (status !== 'met' && how === '') problems.push(said('says not how, or why not'))
  if (status === 'not met' && !/§\d|\]\(/.test(how))
    problems.push(said('names neither the specification nor a decision'))
  for (const shown of shownBy.split('<br>').filter((part) => part !== ''))
    problems.push(...problemsOfProof(shown, sources).map(said))
  for (const [, link = ''] of how.matchAll(/\]\(([^)#]+)\)/g))
    if (sources.read(join(dirname(sources.place), link)) === null)
      problems.push(said(`${link} is not there`))
  return problems
}

/** `file` · title of a test in it, or a link to a chapter of a document. */
function problemsOfProof(shown: string, { read, place }: Sources): string[] {
  const test = /^`([^`]+)` · (.+)$/.exec(shown)
  if (test) {
    const [, file = '', title = ''] = test
    const text = read(file)
    if (text === null) return [`${file} is not there`]
    return titlesIn(file, text).includes(title) ? [] : [`${file} has no test "${title}"`]
  }
  const link = /^\[[^\]]+\]\(([^)#]+)#([^)]+)\)$/.exec(shown)
  if (!link) return [`"${shown}" is neither a test nor a chapter`]
  const [, file = '', chapter = ''] = link
  const text = read(join(dirname(place), file))
  if (text === null) return [`${file} is not there`]
  const chapters = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title))
  return chapters.includes(chapter) ? [] : [`${file} has no chapter "${chapter}"`]
}

const RUN = ['test', 'it', 'describe']
const NOT_RUN = ['skip', 'todo', 'fixme']

/** What the tests of a file are called: not those that are skipped, and nothing that is only said. */
function titlesIn(file: string, text: string): string[] {
  return [...nodesOf(parseProgram(file, text))].flatMap((node) => {
    if (node.type !== 'CallExpression') return []
    const names = calledNames(nodeAt(node, 'callee'))
    if (!RUN.includes(names[0] ?? '') || names.some((name) => NOT_RUN.includes(name))) return []
    const title = nodesAt(node, 'arguments')[0]?.['value']
    return typeof title === 'string' ? [title] : []
  })
}

/** `test`, `each` of `test.each(…)`, whatever is given to it. */
function calledNames(callee: Node | null): string[] {
  if (callee === null) return []
  if (callee.type === 'Identifier') return [String(callee['name'])]
  const within = nodeAt(callee, 'callee') ?? nodeAt(callee, 'object') ?? nodeAt(callee, 'tag')
  const property = nodeAt(callee, 'property')
  return [...calledNames(within), ...(property ? [String(property['name'])] : [])]
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}
