import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { passOn } from '#platform/child-output.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { Exit, RunningProcess } from './keep-running.ts'

const STOP_TIMEOUT_MS = 15_000
export const NODE_FLAGS: readonly string[] = [
  // A small nursery: pages and answers die young either way, and the resident size is a third less for some percent more collecting.
  '--max-semi-space-size=8',
  // While pages are made, V8 learns that what a request allocates lives long, and then allocates later requests among the old, where the
  // dead ones keep whatever they point to: a quarter of everything, by turns, a third of the speed, and 170 MB (docs/benchmark.md).
  '--no-allocation-site-pretenuring',
]
/** Of every process of the program's own, so that what is measured is what runs. */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  // React reads it when it is loaded: its development build renders several times slower.
  NODE_ENV: 'production',
  // Each thread that ever used much memory would keep an arena of its own, in pieces, for good (glibc's malloc).
  MALLOC_ARENA_MAX: '2',
  // What is as large as an upload goes back at once; by itself the bound grows with what is freed, and pieces stay.
  MALLOC_MMAP_THRESHOLD_: '1048576',
  NODE_COMPILE_CACHE: join(PROJECT_ROOT, 'build', 'compile-cache'),
}
const PRELOAD = join(PROJECT_ROOT, 'src', 'platform', 'supervised.ts')

/** Starts one of the program's own Node processes; its log goes where ours goes. */
export function startNode(
  entry: string,
  environment: Readonly<Record<string, string>>,
  flags = NODE_FLAGS,
): RunningProcess {
  const child = spawn(
    process.execPath,
    [...flags, '--import', PRELOAD, join(PROJECT_ROOT, entry)],
    {
      cwd: PROJECT_ROOT,
      env: { ...environment, ...NODE_ENVIRONMENT },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its own process group: Ctrl-C reaches the program alone, which then stops its processes in order.
      detached: true,
    },
  )
  passOn(child)
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 1, signal: null }))
  })
  return {
    pid: child.pid ?? 0,
    exited,
    kill: () => void child.kill('SIGKILL'),
    onHeartbeat(listener) {
      child.on('message', listener)
      return () => void child.off('message', listener)
    },
    async stop() {
      child.kill('SIGTERM')
      if (
        await Promise.race([exited.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })])
      )
        return
      child.kill('SIGKILL')
      await exited
    },
  }
}
