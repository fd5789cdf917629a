import { parseSync } from 'vite'

/** What a source file says, as far as the checks of its place care. Read from its syntax, so that no spelling hides anything. */
export interface ParsedSource {
  readonly imports: readonly SourceImport[]
  /** Names of members that are asked for: `selectFrom` of `db.selectFrom(…)` and of `db['selectFrom']`. */
  readonly members: ReadonlySet<string>
  readonly readsClockOrChance: boolean
  readonly readsSettings: boolean
}

export interface SourceImport {
  /** Null where it is worked out while the program runs. */
  readonly specifier: string | null
  /** Only types of it are taken: nothing of it is loaded. */
  readonly isType: boolean
  /** Loaded while the program runs, so that it makes no circle of files that wait for each other. */
  readonly isLate: boolean
  /** Stands for every file that fits it: `import.meta.glob`. */
  readonly isPattern?: true
}

export type Node = { readonly type: string } & Readonly<Record<string, unknown>>

/** Stands in a text where something is put in. */
export const HOLE = '${…}'

export function parseProgram(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program as unknown as Node
}

export function parseSource(file: string, text: string): ParsedSource {
  const imports: SourceImport[] = []
  const members = new Set<string>()
  let [readsClockOrChance, readsSettings] = [false, false]
  for (const node of nodesOf(parseProgram(file, text))) {
    imports.push(...importsOf(node))
    const member = memberOf(node)
    if (member !== null) members.add(member)
    readsClockOrChance ||= isClockOrChance(node)
    readsSettings ||= isSettings(node)
  }
  return { imports, members, readsClockOrChance, readsSettings }
}

export function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) yield* nodesOf(child)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const nodeAt = (node: Node, name: string): Node | null => {
  const child = node[name]
  return isNode(child) ? child : null
}

export const nodesAt = (node: Node, name: string): readonly Node[] => {
  const children = node[name]
  return Array.isArray(children) ? (children as unknown[]).filter(isNode) : []
}

function importsOf(node: Node): SourceImport[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      const source = nodeAt(node, 'source')
      return source ? [{ specifier: textOf(source), isType: isTypeOnly(node), isLate: false }] : []
    }
    case 'ImportExpression':
      return [{ specifier: plainText(nodeAt(node, 'source')), isType: false, isLate: true }]
    case 'TSImportType':
      return [{ specifier: plainText(nodeAt(node, 'source')), isType: true, isLate: false }]
    case 'TSExternalModuleReference':
      return [{ specifier: plainText(nodeAt(node, 'expression')), isType: false, isLate: false }]
    case 'CallExpression':
      if (isGlob(nodeAt(node, 'callee'))) return importsOfGlob(node)
      return isLoading(nodeAt(node, 'callee'))
        ? [{ specifier: plainText(nodesAt(node, 'arguments')[0]), isType: false, isLate: true }]
        : []
    default:
      return []
  }
}

const isGlob = (callee: Node | null) =>
  callee !== null &&
  memberOf(callee) === 'glob' &&
  nodeAt(callee, 'object')?.type === 'MetaProperty'

/** The bundler puts the files that fit in the place of the call; they are loaded with it where it is `eager`. What begins with `!` takes away. */
function importsOfGlob(node: Node): SourceImport[] {
  const [patterns, options] = nodesAt(node, 'arguments')
  const texts =
    patterns?.type === 'ArrayExpression'
      ? nodesAt(patterns, 'elements').map(plainText)
      : [plainText(patterns)]
  const isEager =
    options !== undefined &&
    nodesAt(options, 'properties').some(
      (property) =>
        nameOf(nodeAt(property, 'key')) === 'eager' &&
        nodeAt(property, 'value')?.['value'] === true,
    )
  return texts
    .filter((text) => text === null || !text.startsWith('!'))
    .map((specifier) => ({ specifier, isType: false, isLate: !isEager, isPattern: true as const }))
}

function isTypeOnly(node: Node): boolean {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true
  const specifiers = nodesAt(node, 'specifiers')
  return (
    specifiers.length > 0 &&
    specifiers.every((each) => each['importKind'] === 'type' || each['exportKind'] === 'type')
  )
}

/** `require(…)`, and `createRequire(…)(…)`, `require.resolve(…)`, `import.meta.resolve(…)`. */
function isLoading(callee: Node | null): boolean {
  if (!callee) return false
  if (callee.type === 'Identifier') return callee['name'] === 'require'
  if (callee.type === 'CallExpression') return nameOf(nodeAt(callee, 'callee')) === 'createRequire'
  const object = nodeAt(callee, 'object')
  return (
    memberOf(callee) === 'resolve' &&
    (object?.type === 'MetaProperty' || nameOf(object) === 'require')
  )
}

export const nameOf = (node: Node | null | undefined) =>
  node?.type === 'Identifier' ? String(node['name']) : null

/** A text that stands there as it is; null for one that is worked out. */
export function plainText(node: Node | null | undefined): string | null {
  const text = node ? textOf(node) : null
  return text === null || text.includes(HOLE) ? null : text
}

/** What a text says, written or made; null for what is none. */
export function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  return nodesAt(node, 'quasis')
    .map((quasi) => (quasi['value'] as { readonly cooked: string | null }).cooked ?? '')
    .join(HOLE)
}

export function memberOf(node: Node): string | null {
  if (node.type !== 'MemberExpression') return null
  const property = nodeAt(node, 'property')
  return node['computed'] === true ? plainText(property) : nameOf(property)
}

/** Of Node. Browsers have no ctx: what they draw by `getRandomValues` is theirs. */
const CHANCE = new Set(['randomUUID', 'randomBytes', 'randomInt'])

function isClockOrChance(node: Node): boolean {
  const object = nameOf(nodeAt(node, 'object'))
  const member = memberOf(node)
  if (member !== null)
    return (
      (object === 'Date' && member === 'now') ||
      (object === 'Math' && member === 'random') ||
      CHANCE.has(member)
    )
  if (node.type === 'ImportSpecifier') return CHANCE.has(nameOf(nodeAt(node, 'imported')) ?? '')
  const isDate = nameOf(nodeAt(node, 'callee')) === 'Date'
  return (
    (node.type === 'CallExpression' && isDate) ||
    (node.type === 'NewExpression' && isDate && nodesAt(node, 'arguments').length === 0)
  )
}

/** Whoever has the process has its environment. */
function isSettings(node: Node): boolean {
  if (node.type === 'ImportDeclaration')
    return ['process', 'node:process'].includes(textOf(nodeAt(node, 'source') ?? node) ?? '')
  if (node.type === 'VariableDeclarator') {
    const names = nodesAt(nodeAt(node, 'id') ?? node, 'properties')
    return (
      nameOf(nodeAt(node, 'init')) === 'process' &&
      names.some((each) => nameOf(nodeAt(each, 'key')) === 'env')
    )
  }
  const isProcess =
    nameOf(nodeAt(node, 'object')) === 'process' ||
    memberOf(nodeAt(node, 'object') ?? node) === 'process'
  return memberOf(node) === 'env' && isProcess
}
