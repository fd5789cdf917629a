import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { refusal, systemErrorCode } from '#platform/refusal.ts'
import { placeSecretFile } from '#platform/secret-file.ts'

/** Where a secret is to be written; refused before anything is made where something is there. */
export function newFile(place: string): string {
  const file = resolve(place)
  if (existsSync(file)) throw refusal(`${file} is there already; name a new file.`)
  return file
}

/** Writes what is shown once, for whoever runs the command alone. */
export function writeSecret(file: string, made: object): void {
  try {
    placeSecretFile(file, `${JSON.stringify(made, null, 2)}\n`)
  } catch (error) {
    throw refusal(`${file} cannot be written (${systemErrorCode(error) ?? String(error)}).`, error)
  }
}
