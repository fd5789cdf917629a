import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { commandLineOf, isAlive, isGoneWithin, parentOf, signal } from '../processes.ts'
import { refusal } from '../refusal.ts'

export type RunningServer = Readonly<{ pid: number; port: number }>

const STOP_TIMEOUT_MS = 30_000

/**
 * The server that runs on this data folder, from its postmaster.pid: line 1 is the process, line 4 the port (PostgreSQL's
 * miscadmin.h). A file left by a crash does not count, even when another program has that process id by now.
 */
export function runningServer(cluster: string): RunningServer | undefined {
  const lines = readLines(join(cluster, 'postmaster.pid'))
  const pid = Number(lines?.[0])
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined
  return commandLineOf(pid)?.includes(`-D ${cluster}`)
    ? { pid, port: Number(lines?.[3]) }
    : undefined
}

/**
 * Makes way for a new server: stops one whose program was killed, removes the file of one that crashed, and refuses to
 * touch one whose program still runs.
 */
export async function stopLeftServer(cluster: string, log: Log): Promise<void> {
  const server = runningServer(cluster)
  if (server) {
    const parent = parentOf(server.pid)
    if (
      parent !== undefined &&
      parent > 1 &&
      /(?:^|\/)node\b/.test(commandLineOf(parent)?.split(' ')[0] ?? '')
    ) {
      throw refusal(
        `The database in ${cluster} is in use by a running instance (process ${parent}). Stop that one first, or choose another DATA_DIR.`,
      )
    }
    log.warn('stopping a PostgreSQL that a killed program left behind', { pid: server.pid })
    for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      signal(server.pid, name)
      if (await isGoneWithin(server.pid, STOP_TIMEOUT_MS)) break
    }
  }
  // PostgreSQL itself would refuse to start when the process id in the file has been given to another program of its user.
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function readLines(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch {
    return undefined
  }
}
