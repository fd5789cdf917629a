import {
  HOLE,
  memberOf,
  nodeAt,
  nodesAt,
  nodesOf,
  nameOf,
  parseProgram,
  plainText,
  textOf,
  type Node,
} from './parsed-source.ts'

export interface TableWrite {
  /** Null where it is worked out while the program runs. */
  readonly table: string | null
  /** What is set in rows that are there; null where rows are made or removed, and where it cannot be read off. */
  readonly columns: readonly string[] | null
}

/** Every way to write has one of these words in it. */
const WRITING = /insert|update|delete|merge|replace|truncate|copy/i
const MAKING = new Set(['insertInto', 'replaceInto', 'mergeInto', 'deleteFrom'])

/** Everything a source file writes, by the query builder and by statements in its texts. */
export function writesOf(file: string, text: string): TableWrite[] {
  if (!WRITING.test(text)) return []
  const calls: Node[] = []
  const writes: TableWrite[] = []
  for (const node of nodesOf(parseProgram(file, text))) {
    const said = textOf(node)
    if (said !== null) writes.push(...statedWrites(said))
    if (node.type === 'CallExpression') calls.push(node)
  }
  const setBy = new Map<Node, readonly string[] | null>()
  for (const call of calls)
    if (calledMember(call) === 'set') {
      const updating = updatingOf(call)
      if (updating) setBy.set(updating, columnsOf(nodesAt(call, 'arguments')))
    }
  for (const call of calls) {
    const member = calledMember(call) ?? ''
    const [named] = nodesAt(call, 'arguments')
    if (MAKING.has(member))
      writes.push(...tablesIn(named).map((table) => ({ table, columns: null })))
    else if (member === 'updateTable')
      writes.push(...tablesIn(named).map((table) => ({ table, columns: setBy.get(call) ?? null })))
  }
  return writes
}

const calledMember = (call: Node): string | null => memberOf(nodeAt(call, 'callee') ?? call)

/** The call of `updateTable` that a `set` belongs to, however much stands between. */
function updatingOf(set: Node): Node | null {
  let at: Node | null = set
  while (at && !(at.type === 'CallExpression' && calledMember(at) === 'updateTable'))
    at = at.type === 'CallExpression' ? nodeAt(at, 'callee') : nodeAt(at, 'object')
  return at
}

/** 'account as a', or a list of such. */
function tablesIn(named: Node | undefined): (string | null)[] {
  if (named?.type === 'ArrayExpression') return nodesAt(named, 'elements').flatMap(tablesIn)
  return [plainText(named)?.split(' ')[0] ?? null]
}

/** `set('column', value)`, `set({ column: value })` and what a function or a choice gives of the latter. */
function columnsOf([given, value]: readonly Node[]): readonly string[] | null {
  if (!given) return null
  if (value) return whole([plainText(given)])
  if (given.type === 'ParenthesizedExpression')
    return columnsOf([nodeAt(given, 'expression') ?? given])
  if (given.type === 'ArrowFunctionExpression') return columnsOf([nodeAt(given, 'body') ?? given])
  if (given.type === 'ConditionalExpression') {
    const parts = [nodeAt(given, 'consequent'), nodeAt(given, 'alternate')].map((part) =>
      part ? columnsOf([part]) : null,
    )
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? [])
  }
  if (given.type !== 'ObjectExpression') return null
  return whole(
    nodesAt(given, 'properties').map((property) => {
      if (property['computed'] === true) return plainText(nodeAt(property, 'key'))
      const key = nodeAt(property, 'key')
      return key ? (nameOf(key) ?? textOf(key)) : null
    }),
  )
}

const whole = (names: readonly (string | null)[]): readonly string[] | null =>
  names.some((name) => name === null) ? null : names.map((name) => name ?? '')

const TABLE = String.raw`(?:only\s+)?(?:"?\w+"?\s*\.\s*)?"?(\w+|\$\{…\}|$)`
const MADE = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+${TABLE}((?:"?\s*,\s*"?\w+)*)`,
  'gi',
)
const UPDATED = new RegExp(String.raw`\bupdate\s+${TABLE}"?(?=[\s\S]*?\bset\b)`, 'gi')
/** "for update of", "for no key update", "do update set" and triggers' "update of" write no table of that name. */
const NO_STATEMENT = /\b(?:for(?:\s+no\s+key)?|do|or|before|after)\s+$/i
/** Where the list of what is set ends. */
const SET_ENDS = /\b(?:from|where|returning)\b/i

/** What statements in a text write: SQL knows no difference of capitals, schemas and quotes. */
export function statedWrites(sql: string): TableWrite[] {
  const made = [...sql.matchAll(MADE)].flatMap(([, table = '', others = '']) =>
    [table, ...(others.match(/\w+/g) ?? [])].map((name) => ({
      table: tableNamed(name),
      columns: null,
    })),
  )
  const updated = [...sql.matchAll(UPDATED)].flatMap((match): TableWrite[] => {
    const [call, table = ''] = match
    if (NO_STATEMENT.test(sql.slice(0, match.index))) return []
    const rest = sql.slice(match.index + call.length)
    const end = rest.search(SET_ENDS)
    const set = rest.slice(0, end === -1 ? undefined : end)
    const columns = [...set.matchAll(/"?(\w+)"?\s*=(?!=)/g)].map(([, column = '']) => column)
    // Columns that are put in, or are named in brackets, cannot be read off.
    const isRead = columns.length > 0 && !/(?:\bset|,)\s*(?:\(|\$\{…\})/i.test(set)
    return [{ table: tableNamed(table), columns: isRead ? columns : null }]
  })
  return [...made, ...updated]
}

const tableNamed = (name: string) => (name === '' || name === HOLE ? null : name.toLowerCase())
