import { chmodSync, existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file for this user alone, unless it is there: whole or not at all. Two commands may both come first; the second then
 * finds the first one's.
 */
export function placeSecretFile(file: string, text: string): void {
  const draft = draftOf(file, text)
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Puts another text in its place, whole or not at all. */
export function replaceSecretFile(file: string, text: string): void {
  renameSync(draftOf(file, text), file)
}

function draftOf(file: string, text: string): string {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  chmodSync(draft, 0o600)
  return draft
}
