import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './browser.ts'

const END_MS = 15_000
const KEPT_CHARACTERS = 20_000

export interface Program {
  /** What it says that matches, as soon as it does. */
  readonly says: (wanted: RegExp) => Promise<string>
  readonly stop: () => Promise<void>
}

/** A program beside this one, with a home of its own. */
export function startProgram(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Program {
  const child = spawn(name, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-KEPT_CHARACTERS))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.once('error', (error) => (output += String(error)))
  return {
    says: async (wanted) => {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
        const found = wanted.exec(output)
        if (found) return found[1] ?? ''
        if (hasEnded(child)) break
      }
      throw new Error(`${name} did not start: ${output.slice(-2_000)}`)
    },
    stop: () => endOf(child),
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(END_MS, undefined, { ref: false })])
  if (!hasEnded(child)) child.kill('SIGKILL')
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
