import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The architecture as data: what each layer and each file of a feature may import. ARCHITECTURE.md tells why. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  ui: ['kernel'],
  platform: ['kernel'],
  providers: ['kernel', 'platform'],
  features: ['kernel', 'platform', 'features', 'providers', 'ui'],
  api: ['kernel', 'platform', 'features'],
  storefront: ['kernel', 'platform', 'features', 'ui'],
  console: ['kernel', 'platform', 'features', 'ui'],
  sandbox: ['kernel', 'platform'],
  cli: ['kernel', 'platform', 'providers', 'features', 'cli'],
  root: [
    'kernel',
    'platform',
    'providers',
    'features',
    'api',
    'storefront',
    'console',
    'ui',
    'cli',
    'root',
  ],
}
/** The floors of features, lowest first: a feature may import its own floor and those below. Going up is done by a job or a registry. */
const FLOORS = [
  'base',
  'team',
  'goods',
  'people',
  'marketing',
  'buying',
  'supply',
  'office',
  'leaving',
]
const FEATURE_FILES = [
  'rules.ts',
  'schema.ts',
  'queries.ts',
  'commands.ts',
  'flows.ts',
  'jobs.ts',
  'snapshot.ts',
  'views.ts',
  'README.md',
]
/** Features cut into an engine of several files keep it in one of these folders. */
const FEATURE_FOLDERS = [
  'components',
  'emails',
  'engine',
  'cover',
  'pipeline',
  'schema',
  'folder',
  'rows',
  'documents',
  'read',
  'write',
  'flow',
  'view',
]
const FEATURE_REACH: Readonly<Record<string, readonly string[]>> = {
  'rules.ts': ['kernel', 'rules.ts', 'cover', 'folder', 'rows'],
  'schema.ts': ['kernel', 'rules.ts', 'schema.ts', 'cover'],
  'queries.ts': [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'read',
    'engine',
    'cover',
    'pipeline',
    'folder',
    'rows',
  ],
  read: [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'read',
    'engine',
    'pipeline',
    'folder',
    'rows',
  ],
  'snapshot.ts': [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'engine',
  ],
  'views.ts': [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'views.ts',
    'view',
    'engine',
  ],
  view: [
    'kernel',
    'platform',
    'rules.ts',
    'schema.ts',
    'queries.ts',
    'snapshot.ts',
    'views.ts',
    'view',
    'engine',
  ],
  components: ['kernel', 'ui', 'rules.ts', 'schema.ts', 'components'],
  emails: ['kernel', 'platform', 'rules.ts', 'schema.ts', 'emails'],
}
/** What outside services say of themselves is data: whoever reads settings, or lists what there is, may look at it. */
const DECLARATIONS = /^providers\/[a-z]+\/services\.ts$/
/** What another feature may import. */
const PUBLIC = [
  'rules.ts',
  'schema.ts',
  'queries.ts',
  'commands.ts',
  'snapshot.ts',
  'views.ts',
  'view',
  'components',
  'engine',
  'cover',
  'pipeline',
]
const LINES_MAX = 400
/** Data and generated files say nothing about the size of a thought. */
const LONG_FILES = [/platform\/tables\.ts$/, /platform\/i18n\/keys\.ts$/]
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?\sfrom\s+)?['"]([^'"]+)['"]/g
/** Time, ids and randomness have one door: ctx. */
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/
const SETTINGS = /\bprocess\.env\b/
/** What asks the shop's tables stands where it is looked for: not in rules, flows or jobs, and nowhere above the features. */
const TABLES = /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(/
/** Commands may ask a server about itself. */
const RAW_SQL = /\bsql(?:<[^`]*>)?`/
const SQL_FILES = ['queries.ts', 'commands.ts', 'snapshot.ts', 'read', 'write', 'view', 'rows']

/** Every breach of the architecture below a source folder, one line each; empty when all is well. */
export function checkStructure(source: string): string[] {
  const problems: string[] = []
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(files)
  const graph = new Map<string, string[]>()
  for (const file of files) {
    problems.push(...checkPlace(source, file))
    if (!/\.tsx?$/.test(file)) continue
    const text = readFileSync(file, 'utf8')
    problems.push(...checkText(source, file, text))
    graph.set(file, checkImports(source, file, text, known, problems))
  }
  problems.push(
    ...cyclesOf(
      [...graph.keys()],
      (file) => graph.get(file) ?? [],
      (file) => relative(source, file),
      'files',
    ),
  )
  problems.push(...cyclesBetweenFeatures(source, graph))
  return problems
}

const partsOf = (source: string, file: string) => relative(source, file).split(sep)
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

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

function checkText(source: string, file: string, text: string): string[] {
  const name = relative(source, file)
  const problems: string[] = []
  const lines = text.split('\n').length
  const isSpared = LONG_FILES.some((long) => long.test(file))
  if (lines > LINES_MAX && !isTest(file) && !isSpared)
    problems.push(`${name}: ${lines} lines; the limit is ${LINES_MAX}`)
  if (isTest(file)) return problems
  const layer = layerOf(source, file)
  if (layer !== 'platform' && layer !== 'cli' && layer !== 'sandbox' && IMPURE.test(text))
    problems.push(`${name}: time, ids and randomness come from ctx`)
  if (layer !== 'platform' && layer !== 'cli' && layer !== 'sandbox' && SETTINGS.test(text))
    problems.push(`${name}: settings come from platform/config.ts`)
  const mayAsk =
    layer === 'platform' ||
    layer === 'root' ||
    (layer === 'features' && SQL_FILES.includes(kindOf(source, file)))
  if (!mayAsk && (TABLES.test(text) || (layer !== 'cli' && RAW_SQL.test(text))))
    problems.push(`${name}: SQL stands in ${SQL_FILES.slice(0, 3).join(', ')} of a feature`)
  return problems
}

function checkImports(
  source: string,
  file: string,
  text: string,
  known: ReadonlySet<string>,
  problems: string[],
): string[] {
  const name = relative(source, file)
  const layer = layerOf(source, file)
  const edges: string[] = []
  for (const [, isType, specifier = ''] of text.matchAll(IMPORT)) {
    const target = resolveImport(source, file, specifier)
    if (!target || /\.(?:css|json|svg)$/.test(target)) continue
    if (!known.has(target)) {
      if (target.startsWith(source))
        problems.push(`${name}: cannot resolve ${specifier} (write the extension)`)
      continue
    }
    if (!isType) edges.push(target)
    if (isTest(file)) continue
    const to = layerOf(source, target)
    if (to === 'api' && isType && layer === 'storefront') continue // the wire contract's types
    if (
      (layer === 'platform' || layer === 'features') &&
      DECLARATIONS.test(partsOf(source, target).join('/'))
    )
      continue
    if (to !== layer && !LAYERS[layer]?.includes(to))
      problems.push(`${name}: src/${layer} may not import src/${to} (${specifier})`)
    if (layer === 'features') problems.push(...checkFeatureImport(source, file, target, specifier))
  }
  return edges
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

function cyclesBetweenFeatures(source: string, graph: ReadonlyMap<string, string[]>): string[] {
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
