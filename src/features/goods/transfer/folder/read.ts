import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonPath, type Fault } from './faults.ts'

export interface FolderContents {
  /** Path inside the folder → what the JSON file holds. */
  readonly documents: ReadonlyMap<string, unknown>
  readonly faults: readonly Fault[]
}

const MEGABYTE = 1024 * 1024
const FILE_BYTES_MAX = 50 * MEGABYTE
const FOLDER_BYTES_MAX = 400 * MEGABYTE
const FILES_MAX = 50_000
const FOLDER_DEPTH_MAX = 4
/** Deeper than anything the format has. */
const NESTING_MAX = 24

/**
 * Reads every JSON file of a folder. A folder may come from anybody: links, oversized or deeply nested files and texts that
 * the database cannot hold are faults, not crashes. Files that are not JSON are left aside.
 */
export async function readFolder(folder: string): Promise<FolderContents> {
  const faults: Fault[] = []
  const documents = new Map<string, unknown>()
  const paths = await listFiles(folder, faults)
  let bytes = 0
  for (const path of paths) {
    bytes += await readDocument(folder, path, documents, faults)
    if (bytes > FOLDER_BYTES_MAX) {
      faults.push({
        file: path,
        path: '',
        message: `the folder holds more than ${FOLDER_BYTES_MAX / MEGABYTE} MB of JSON`,
      })
      break
    }
  }
  return { documents, faults }
}

/** The same of files that lie elsewhere: in an archive, perhaps below one folder of their own. */
export function readFiles(
  files: Iterable<{ readonly path: string; readonly bytes: Uint8Array }>,
): FolderContents {
  const faults: Fault[] = []
  const documents = new Map<string, unknown>()
  const all = [...files]
  const head = all.find(({ path }) => /^(?:[^/]+\/)?catalogue\.json$/.test(path))?.path ?? ''
  const below = head.slice(0, -'catalogue.json'.length)
  for (const { path, bytes } of all)
    if (path.startsWith(below)) parseInto(path.slice(below.length), bytes, documents, faults)
  return { documents, faults }
}

/** Whether a file of an archive is one that a folder is read from. */
export const isFolderFile = (path: string): boolean =>
  path.endsWith('.json') && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(path)

async function listFiles(folder: string, faults: Fault[]): Promise<string[]> {
  const found: string[] = []
  const visit = async (inside: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, inside), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside ? `${inside}/${entry.name}` : entry.name
      if (entry.name.startsWith('.')) continue
      if (entry.isSymbolicLink())
        faults.push({
          file: path,
          path: '',
          message: 'links are not followed; put the file itself here',
        })
      else if (entry.isDirectory() && depth < FOLDER_DEPTH_MAX) await visit(path, depth + 1)
      else if (entry.isFile() && entry.name.endsWith('.json')) found.push(path)
      if (found.length > FILES_MAX) return
    }
  }
  try {
    const place = await lstat(folder)
    if (!place.isDirectory()) throw new Error('not a folder')
    await visit('', 0)
  } catch {
    faults.push({ file: '.', path: '', message: 'there is no such folder, or it cannot be read' })
  }
  if (found.length > FILES_MAX)
    faults.push({ file: '.', path: '', message: `more than ${FILES_MAX} files` })
  return found
}

async function readDocument(
  folder: string,
  path: string,
  documents: Map<string, unknown>,
  faults: Fault[],
): Promise<number> {
  const fault = (message: string) => void faults.push({ file: path, path: '', message })
  const file = join(folder, path)
  try {
    const { size } = await lstat(file)
    if (size > FILE_BYTES_MAX) {
      fault(`larger than ${FILE_BYTES_MAX / MEGABYTE} MB`)
      return 0
    }
    parseInto(path, await readFile(file), documents, faults)
    return size
  } catch {
    fault('cannot be read')
    return 0
  }
}

/** Exported for tests of hostile bytes. */
export function parseInto(
  path: string,
  bytes: Uint8Array,
  documents: Map<string, unknown>,
  faults: Fault[],
): void {
  const fault = (message: string, at = '') => void faults.push({ file: path, path: at, message })
  let source: string
  try {
    // The decoder also drops a byte order mark.
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return fault('not UTF-8 text')
  }
  if (nesting(source) > NESTING_MAX) return fault(`nested more than ${NESTING_MAX} deep`)
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    return fault(
      `not JSON: ${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 160) : ''}`,
    )
  }
  const before = faults.length
  checkTexts(value, [], fault)
  if (faults.length === before) documents.set(path, value)
}

/** Depth of brackets outside of texts; found before parsing, so that no parser or walker runs out of stack. */
function nesting(source: string): number {
  let depth = 0
  let deepest = 0
  let inText = false
  for (let at = 0; at < source.length; at++) {
    const char = source.charCodeAt(at)
    if (inText) {
      if (char === 0x5c) at++
      else if (char === 0x22) inText = false
    } else if (char === 0x22) inText = true
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x7d || char === 0x5d) depth--
  }
  return deepest
}

/** Texts PostgreSQL cannot hold, and keys that would reach into JavaScript's own objects. */
function checkTexts(
  value: unknown,
  keys: PropertyKey[],
  fault: (message: string, at: string) => void,
): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) fault('holds a NUL character', jsonPath(keys))
    else if (!value.isWellFormed()) fault('holds half a surrogate pair', jsonPath(keys))
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => checkTexts(entry, [...keys, index], fault))
  } else if (value !== null && typeof value === 'object') {
    for (const [key, entry] of Object.entries(value)) {
      if (key === '__proto__') fault('this key is not allowed', jsonPath([...keys, key]))
      else if (key.includes('\0') || !key.isWellFormed())
        fault('a key holds a character that cannot be stored', jsonPath(keys))
      else checkTexts(entry, [...keys, key], fault)
    }
  }
}
