import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { median } from './median.ts'
import { freePort } from '#platform/free-port.ts'
import { stop, waitFor } from './processes.ts'

export interface StartFigures {
  /** Database made, demo imported, first page answered; the build was there. Seconds. */
  readonly first: number
  /** On data that is there, median of several. Seconds. */
  readonly again: number
}

const AGAIN = 3
const START_TIMEOUT_MS = 120_000

/** From the command to the first page, as a person waits for it: `start` with its own database, then again on the same data. */
export async function measureStarts(dataDirectory: string): Promise<StartFigures> {
  const first = await startOnce(dataDirectory)
  const again: number[] = []
  for (let run = 0; run < AGAIN; run += 1) again.push(await startOnce(dataDirectory))
  return { first, again: median(again) }
}

/** Makes the shop where there is none, waits for its first page, and ends it. @returns seconds */
export async function startOnce(dataDirectory: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src', 'cli.ts'), 'start'], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...inheritedEnvironment(),
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      DEMO: '1',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    await waitFor(`http://127.0.0.1:${port}/`, child, START_TIMEOUT_MS)
    return (performance.now() - began) / 1000
  } finally {
    await stop(child)
  }
}
