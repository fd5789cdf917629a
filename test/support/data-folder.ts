import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { outsideFolder } from '#platform/postgres/place.ts'

/**
 * Removes a folder made for a run, with the data directories in it (the folder itself, or those directly below) and what their
 * databases keep outside of them: root's server runs as a user who cannot get into a temporary folder that is closed to others.
 */
export function removeDataFolder(folder: string): void {
  if (!existsSync(folder)) return
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
  for (const dataDirectory of [folder, ...below])
    rmSync(outsideFolder(dataDirectory), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
