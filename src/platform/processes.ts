import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemErrorCode } from './refusal.ts'

/** Whether a process of this id exists and has not ended; one that ended but was not yet collected counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false
  }
  return statFields(pid)?.[0] !== 'Z'
}

/**
 * Tells two processes apart that had the same id one after the other: the id with the moment the process began.
 * Undefined when there is no such process.
 */
export function identityOf(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined
  const began = process.platform === 'linux' ? statFields(pid)?.[19] : ps(pid, 'lstart=')
  return `${pid} ${began ?? 'unknown'}${process.platform === 'linux' ? ` ${bootId()}` : ''}`
}

export function commandLineOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'command=')
  return readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()
}

export function parentOf(pid: number): number | undefined {
  const text = process.platform === 'linux' ? statFields(pid)?.[1] : ps(pid, 'ppid=')
  return text === undefined ? undefined : Number(text)
}

export async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  for (
    const deadline = performance.now() + timeoutMs;
    performance.now() < deadline;
    await sleep(20)
  ) {
    if (!isAlive(pid)) return true
  }
  return !isAlive(pid)
}

/** Sends a signal to a process that may be gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error
  }
}

/** /proc/<pid>/stat from its third field on: the second is the program's name in brackets and may hold anything (proc(5)). */
function statFields(pid: number): string[] | undefined {
  const text = process.platform === 'linux' ? readText(`/proc/${pid}/stat`) : undefined
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

function ps(pid: number, format: string): string | undefined {
  try {
    return (
      execFileSync('ps', ['-p', String(pid), '-o', format], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || undefined
    )
  } catch {
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
