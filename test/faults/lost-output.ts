import { spawnSync } from 'node:child_process'
import { constants, existsSync, openSync, closeSync, mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A pipe that is full already, and whose reader stands still; undefined where none can be made. */
export interface StalledPipe {
  readonly fd: number
  readonly close: () => void
}

export function openStalledPipe(): StalledPipe | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-pipe-'))
  const file = join(folder, 'pipe')
  if (spawnSync('mkfifo', [file]).status !== 0) {
    rmSync(folder, { recursive: true })
    return undefined
  }
  // Open for both, so that nobody waits for the other end.
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK)
  const piece = Buffer.alloc(4096, '\n')
  try {
    for (;;) writeSync(fd, piece)
  } catch {
    // It takes no more.
  }
  return {
    fd,
    close: () => {
      closeSync(fd)
      rmSync(folder, { recursive: true })
    },
  }
}

export const FULL_DEVICE = '/dev/full'
export const openFullDevice = (): number | undefined =>
  existsSync(FULL_DEVICE) ? openSync(FULL_DEVICE, 'w') : undefined
