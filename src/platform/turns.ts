import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long may a piece of work hold the event loop before others get their turn. */
const TURN_MS = 8

/** Gives way to others when this turn's work has taken long enough. */
export function createTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    return nextTurn().then(() => {
      began = performance.now()
    })
  }
}

/** `list.map(make)` for lists that may be very long: others get their turn meanwhile. */
export async function mapInTurns<Entry, Made>(
  list: readonly Entry[],
  make: (entry: Entry) => Made,
): Promise<Made[]> {
  const giveWay = createTurns()
  const made: Made[] = []
  for (const entry of list) {
    made.push(make(entry))
    await giveWay()
  }
  return made
}

/** Lists up to this length are made at once. */
const AT_ONCE_MOST = 100

/** The same, at once while the list is short. */
export function mapPerhapsInTurns<Entry, Made>(
  list: readonly Entry[],
  make: (entry: Entry) => Made,
): Made[] | Promise<Made[]> {
  return list.length <= AT_ONCE_MOST ? list.map(make) : mapInTurns(list, make)
}

/** So many entries of a list become text at once. */
const ENTRIES_AT_ONCE = 100
/** Lists that may be long lie in an envelope, in parts of it, or in their entries. */
const DEPTH = 5

/** `JSON.stringify` for answers that may be very long: others get their turn between pieces of their lists. */
export async function jsonInTurns(value: unknown): Promise<Buffer> {
  const pieces: Buffer[] = []
  const giveWay = createTurns()
  for (const piece of jsonPieces(value, DEPTH)) {
    pieces.push(Buffer.from(piece))
    await giveWay()
  }
  return Buffer.concat(pieces)
}

function* jsonPieces(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || !hasLongList(value, depth)) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    yield '['
    for (let from = 0; from < value.length; from += ENTRIES_AT_ONCE) {
      const entries: readonly unknown[] = value.slice(from, from + ENTRIES_AT_ONCE)
      if (from > 0) yield ','
      if (entries.some((entry) => hasLongList(entry, depth - 1))) yield* listed(entries, depth - 1)
      else yield JSON.stringify(entries).slice(1, -1)
    }
    yield ']'
  } else {
    yield '{'
    let isFirst = true
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      isFirst = false
      yield* jsonPieces(member, depth - 1)
    }
    yield '}'
  }
}

function* listed(entries: readonly unknown[], depth: number): Generator<string> {
  for (const [index, entry] of entries.entries()) {
    if (index > 0) yield ','
    yield* jsonPieces(entry ?? null, depth)
  }
}

function hasLongList(value: unknown, depth: number): boolean {
  if (depth <= 0 || typeof value !== 'object' || value === null || 'toJSON' in value) return false
  if (Array.isArray(value))
    return (
      value.length > ENTRIES_AT_ONCE ||
      value.some((entry: unknown) => hasLongList(entry, depth - 1))
    )
  return Object.values(value).some((member: unknown) => hasLongList(member, depth - 1))
}
