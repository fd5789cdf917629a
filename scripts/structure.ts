import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, matchesGlob, relative, sep } from 'node:path'
import {
  DATABASE_PACKAGES,
  DECLARATIONS,
  FEATURE_FILES,
  FEATURE_FOLDERS,
  FEATURE_REACH,
  FLOORS,
  LAYERS,
  PUBLIC,
  PUBLIC_ABOVE,
  PURE_PACKAGES,
} from './architecture.ts'
import { parseSource, type ParsedSource, type SourceImport } from './parsed-source.ts'

const LINES_MAX = 400
/** Data and generated files say nothing about the size of a thought. */
const LONG_FILES = [/platform\/tables\.ts$/, /platform\/i18n\/keys\.ts$/]
/** What asks the shop's tables stands where it is looked for: not in rules, flows or jobs, and nowhere above the features. */
const TABLE_MEMBERS = [
  'selectFrom',
  'insertInto',
  'replaceInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
]
const SQL_FILES = ['queries.ts', 'commands.ts', 'snapshot.ts', 'read', 'write', 'view', 'rows']
/** Home-made words that standard terms have taken the place of (CONTRIBUTING, "Words"): nothing exported is named by one. */
const HOME_MADE = /(?:^|[a-z])(?:[Ss]tray|[Tt]elling|[Tt]eller|[Tt]old|[Pp]lainly|[Kk]ept[A-Z])/
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm
/** Wired here: the queue of jobs, and a pool of its own for it. */
const QUEUE_FILE = 'background.ts'
/** Starts under whatever Node there is, to look for the right one. */
const STARTER = 'run.js'

/** Every breach of the architecture below a source folder, one line each; empty when all is well. */
export function checkStructure(source: string): string[] {
  const problems: string[] = []
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(files)
  const graph = new Map<string, readonly string[]>()
  const featureGraph = new Map<string, readonly string[]>()
  for (const file of files) {
    problems.push(...checkPlace(source, file))
    if (!/\.tsx?$/.test(file)) continue
    const text = readFileSync(file, 'utf8')
    const parsed = parseSource(file, text)
    problems.push(...checkText(source, file, text, parsed))
    const { waited, late } = checkImports(source, file, parsed.imports, known, problems)
    graph.set(file, waited)
    featureGraph.set(file, [...waited, ...late])
  }
  problems.push(
    ...cyclesOf(
      [...graph.keys()],
      (file) => graph.get(file) ?? [],
      (file) => relative(source, file),
      'files',
    ),
  )
  problems.push(...cyclesBetweenFeatures(source, featureGraph))
  return problems
}

/** Files beside the program that are longer than a thought, one line each. */
export function checkLengths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !isTest(name))
    .flatMap((name) => lengthProblem(name, readFileSync(join(folder, name), 'utf8')))
}

function lengthProblem(name: string, text: string): string[] {
  const lines = text.split('\n').length
  return lines > LINES_MAX ? [`${name}: ${lines} lines; the limit is ${LINES_MAX}`] : []
}

const partsOf = (source: string, file: string) => relative(source, file).split(sep)
const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file)
/** Loads what the development server has, by an address. */
const isDevelopment = (file: string) => file.endsWith(`browser${sep}dev-entry.ts`)
const isPlatform = (source: string, file: string) => layerOf(source, file) === 'platform'

function layerOf(source: string, file: string): string {
  const parts = partsOf(source, file)
  return parts.length === 1 ? (parts[0] === 'cli.ts' ? 'cli' : 'root') : (parts[0] ?? '')
}

/** "buying/order" of a file below features/buying/order. */
function featureOf(source: string, file: string): string {
  return partsOf(source, file).slice(1, 3).join('/')
}

/** Place of the file's floor, 0 is the lowest. */
function floorOf(source: string, file: string): number {
  return FLOORS.indexOf(partsOf(source, file)[1] ?? '')
}

/** The file or folder of a feature that a file is or stands in: "rules.ts", "engine". */
function kindOf(source: string, file: string): string {
  return partsOf(source, file)[3] ?? ''
}

function checkPlace(source: string, file: string): string[] {
  const layer = layerOf(source, file)
  const name = relative(source, file)
  if (!(layer in LAYERS)) return [`${name}: unknown folder ${layer}`]
  if (/\.(?:[cm]?js|jsx|[cm]ts)$/.test(file) && name !== STARTER)
    return [`${name}: sources are .ts and .tsx`]
  if (layer !== 'features') return []
  const [, , , kind, ...rest] = partsOf(source, file)
  if (floorOf(source, file) < 0) return [`${name}: no such floor (${FLOORS.join(', ')})`]
  if (!kind) return [`${name}: a feature is a folder on a floor`]
  const allowed =
    rest.length > 0 ? FEATURE_FOLDERS.includes(kind) : FEATURE_FILES.includes(kind) || isTest(file)
  return allowed
    ? []
    : [
        `${name}: not in the feature vocabulary (${[...FEATURE_FILES, ...FEATURE_FOLDERS.map((folder) => `${folder}/`)].join(' ')})`,
      ]
}

function checkText(source: string, file: string, text: string, parsed: ParsedSource): string[] {
  const name = relative(source, file)
  if (isTest(file)) return []
  const isSpared = LONG_FILES.some((long) => long.test(file))
  const problems = isSpared ? [] : [...lengthProblem(name, text), ...wordProblems(name, text)]
  const layer = layerOf(source, file)
  const isOutside = layer === 'platform' || layer === 'cli' || layer === 'sandbox'
  if (!isOutside && parsed.readsClockOrChance)
    problems.push(`${name}: time, ids and randomness come from ctx`)
  if (!isOutside && parsed.readsSettings)
    problems.push(`${name}: settings come from platform/config.ts`)
  if (!mayAskTables(source, file) && asksTables(layer, parsed))
    problems.push(`${name}: SQL stands in ${SQL_FILES.slice(0, 3).join(', ')} of a feature`)
  return problems
}

function wordProblems(name: string, text: string): string[] {
  return [...text.matchAll(EXPORTED)]
    .map(([, exported = '']) => exported)
    .filter((exported) => HOME_MADE.test(exported))
    .map((exported) => `${name}: ${exported} has a home-made word; CONTRIBUTING has the terms`)
}

function mayAskTables(source: string, file: string): boolean {
  const layer = layerOf(source, file)
  return (
    layer === 'platform' ||
    relative(source, file) === QUEUE_FILE ||
    (layer === 'features' && SQL_FILES.includes(kindOf(source, file)))
  )
}

/** Commands may ask a server about itself, so that they may have a statement of their own, and no table. */
function asksTables(layer: string, { imports, members }: ParsedSource): boolean {
  return (
    TABLE_MEMBERS.some((member) => members.has(member)) ||
    imports.some(
      ({ specifier, isType }) =>
        !isType &&
        DATABASE_PACKAGES.some((each) => specifier === each || specifier?.startsWith(`${each}/`)) &&
        !(layer === 'cli' && specifier === 'kysely'),
    )
  )
}

function checkImports(
  source: string,
  file: string,
  imports: readonly SourceImport[],
  known: ReadonlySet<string>,
  problems: string[],
): { readonly waited: readonly string[]; readonly late: readonly string[] } {
  const name = relative(source, file)
  const [waited, late]: [string[], string[]] = [[], []]
  for (const each of imports.flatMap((one) => filesOf(source, file, one, known))) {
    const { specifier, isType, isLate } = each
    if (specifier === null) {
      if (!isTest(file) && !isDevelopment(file) && !isPlatform(source, file))
        problems.push(`${name}: what is imported is named by a plain text`)
      continue
    }
    const target = resolveImport(source, file, specifier)
    if (target === null) {
      if (!isTest(file)) problems.push(...checkPackage(source, file, each))
      continue
    }
    if (!known.has(target)) {
      if (target.startsWith(source + sep))
        problems.push(`${name}: cannot resolve ${specifier} (write the extension)`)
      else if (!isTest(file)) problems.push(`${name}: ${specifier} is outside the program`)
      continue
    }
    if (!isType) (isLate ? late : waited).push(target)
    if (!isTest(file)) problems.push(...checkTarget(source, file, target, each))
  }
  return { waited, late }
}

/** A pattern as the files that fit it, each as if it were named. */
function filesOf(
  source: string,
  file: string,
  each: SourceImport,
  known: ReadonlySet<string>,
): readonly SourceImport[] {
  const { isPattern, specifier, ...rest } = each
  if (!isPattern || specifier === null) return [each]
  const pattern = join(dirname(file), specifier)
  return [...known]
    .filter((target) => target !== file && !isTest(target) && matchesGlob(target, pattern))
    .map((target) => ({ ...rest, specifier: `#${partsOf(source, target).join('/')}` }))
}

/** What pure code runs of others must be as pure. */
function checkPackage(source: string, file: string, { specifier, isType }: SourceImport): string[] {
  const isPure =
    layerOf(source, file) === 'kernel' ||
    (layerOf(source, file) === 'features' && kindOf(source, file) === 'rules.ts')
  return !isPure || isType || PURE_PACKAGES.includes(specifier ?? '')
    ? []
    : [`${relative(source, file)}: pure code may not import ${specifier}`]
}

function checkTarget(
  source: string,
  file: string,
  target: string,
  { specifier, isType }: SourceImport,
): string[] {
  const name = relative(source, file)
  if (isTest(target)) return [`${name}: ${specifier} is a test`]
  const [layer, to] = [layerOf(source, file), layerOf(source, target)]
  if (to === 'api' && isType && layer === 'storefront') return [] // the wire contract's types
  if (
    (layer === 'platform' || layer === 'features') &&
    DECLARATIONS.test(partsOf(source, target).join('/'))
  )
    return []
  const problems: string[] = []
  if (to !== layer && !LAYERS[layer]?.includes(to))
    problems.push(`${name}: src/${layer} may not import src/${to} (${specifier})`)
  if (layer === 'features')
    problems.push(...checkFeatureImport(source, file, target, specifier ?? ''))
  else if (to === 'features' && !PUBLIC_ABOVE.includes(kindOf(source, target)))
    problems.push(`${name}: ${kindOf(source, target)} of a feature is private (${specifier})`)
  return problems
}

function checkFeatureImport(
  source: string,
  file: string,
  target: string,
  specifier: string,
): string[] {
  const name = relative(source, file)
  const to = layerOf(source, target)
  const word = to === 'features' ? kindOf(source, target) : to
  const reach = FEATURE_REACH[kindOf(source, file)]
  const isOther = to === 'features' && featureOf(source, target) !== featureOf(source, file)
  const problems: string[] = []
  if (isOther && floorOf(source, target) > floorOf(source, file))
    problems.push(`${name}: ${FLOORS[floorOf(source, file)]} may not import up (${specifier})`)
  if (reach && !reach.includes(word))
    problems.push(`${name}: ${kindOf(source, file)} may not import ${word} (${specifier})`)
  if (isOther && !PUBLIC.includes(word))
    problems.push(`${name}: ${word} of another feature is private (${specifier})`)
  return problems
}

function resolveImport(source: string, from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return join(source, specifier.slice(1))
  return specifier.startsWith('.') ? join(from, '..', specifier) : null
}

function cyclesBetweenFeatures(
  source: string,
  graph: ReadonlyMap<string, readonly string[]>,
): string[] {
  const features = new Map<string, Set<string>>()
  for (const [file, edges] of graph) {
    if (layerOf(source, file) !== 'features' || isTest(file)) continue
    const from = featureOf(source, file)
    const reached = features.get(from) ?? new Set<string>()
    features.set(from, reached)
    for (const edge of edges) {
      const to = featureOf(source, edge)
      if (layerOf(source, edge) === 'features' && to !== from) reached.add(to)
    }
  }
  return cyclesOf(
    [...features.keys()],
    (name) => [...(features.get(name) ?? [])],
    (name) => name,
    'features',
  )
}

/** Depth first; each edge back to an open node is one cycle. */
function cyclesOf(
  nodes: readonly string[],
  edgesOf: (node: string) => readonly string[],
  nameOf: (node: string) => string,
  what: string,
): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const stack: string[] = []
  const found: string[] = []
  const visit = (node: string): void => {
    state.set(node, 'open')
    stack.push(node)
    for (const next of edgesOf(node)) {
      if (state.get(next) === 'open')
        found.push(
          `cycle of ${what}: ${[...stack.slice(stack.indexOf(next)), next].map(nameOf).join(' → ')}`,
        )
      else if (!state.has(next)) visit(next)
    }
    state.set(node, 'done')
    stack.pop()
  }
  for (const node of nodes) if (!state.has(node)) visit(node)
  return found
}
