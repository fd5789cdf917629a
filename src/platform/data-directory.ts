import {
  chmodSync,
  linkSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Role } from './config.ts'
import { commandLineOf, identityOf, isAlive, isGoneWithin, signal } from './processes.ts'
import { runsAsRoot } from './postgres/access.ts'
import { makeFolder } from './make-folder.ts'
import { refusal, systemErrorCode } from './refusal.ts'

export type ProcessName = 'web' | 'worker' | 'pictures' | 'vault' | 'postgres'

/** A data directory that this process alone may use until it lets go. */
export type ClaimedDirectory = Readonly<{
  notePid(name: ProcessName, pid: number): void
  forgetPid(name: ProcessName): void
  release(): void
}>

const CLAIM_ATTEMPTS = 3

/**
 * Makes the directory where there is none, and closes it to others when it is first used; but for root, whose database runs as another
 * user that must pass. What its owner opens afterwards stays open.
 */
export function makeDataDirectory(path: string): void {
  try {
    makeFolder(path, 0o777)
    if (!existsSync(join(path, 'run'))) close(path)
    makeFolder(join(path, 'run'), 0o777)
    const probe = join(path, 'run', `probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw refusal(sentenceFor(path, systemErrorCode(error) ?? String(error)), error)
  }
}

/** A folder of somebody else's that we may write to is theirs to close. */
function close(path: string): void {
  try {
    chmodSync(path, runsAsRoot() ? 0o711 : 0o700)
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') throw error
  }
}

function sentenceFor(path: string, code: string): string {
  switch (code) {
    case 'ENOTDIR':
    case 'EEXIST':
      return `DATA_DIR ${path} is a file, or lies in one. Choose a folder.`
    case 'ENOENT':
      return `DATA_DIR ${path} cannot be made there: this place takes no folders. Choose another DATA_DIR.`
    case 'ENOSPC':
      return `DATA_DIR ${path} cannot be written to: the disk is full. Free some space.`
    default:
      return `DATA_DIR ${path} cannot be written to (${code}). Give this user write permission or choose another DATA_DIR.`
  }
}

/**
 * One running instance a directory and role: a file names the process that claimed it and the moment that process began, so a
 * claim left by a crash is told from a live one even after its process id has been given to another program.
 */
export function claimDataDirectory(path: string, role: Role): ClaimedDirectory {
  const run = join(path, 'run')
  const claim = join(run, `start-${role}.pid`)
  const mine = `${identityOf(process.pid)}\n`
  const draft = `${claim}.${process.pid}`
  writeFileSync(draft, mine)
  try {
    for (let attempt = 1; !placeClaim(draft, claim); attempt += 1) {
      const other = readIfThere(claim)
      const pid = Number(other?.split(' ')[0])
      if (other !== undefined && `${identityOf(pid)}\n` === other) throw inUse(path, pid)
      if (attempt === CLAIM_ATTEMPTS) throw inUse(path, pid)
      if (other !== undefined) setAside(claim, other, draft)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return {
    notePid: (name, pid) => writeFileSync(join(run, `${name}.pid`), `${pid}\n`),
    forgetPid: (name) => rmSync(join(run, `${name}.pid`), { force: true }),
    release: () => {
      if (readIfThere(claim) === mine) rmSync(claim, { force: true })
    },
  }
}

/**
 * Ends processes of the shop that a killed program left behind; they notice by themselves, but may need a moment, and
 * until then hold the port. `entries` are the scripts they run, so that no other program that got such an id is touched.
 */
export async function endLeftProcesses(
  path: string,
  entries: Readonly<Partial<Record<ProcessName, string>>>,
  timeoutMs = 10_000,
): Promise<void> {
  for (const [name, entry] of Object.entries(entries)) {
    const pid = Number(readIfThere(join(path, 'run', `${name}.pid`)))
    if (
      !Number.isSafeInteger(pid) ||
      pid <= 0 ||
      !isAlive(pid) ||
      !commandLineOf(pid)?.includes(entry)
    )
      continue
    signal(pid, 'SIGTERM')
    if (await isGoneWithin(pid, timeoutMs)) continue
    signal(pid, 'SIGKILL')
    await isGoneWithin(pid, timeoutMs)
  }
}

/** Whether `start` runs such a process over this directory now. */
export function runsHere(path: string, name: ProcessName): boolean {
  const pid = Number(readIfThere(join(path, 'run', `${name}.pid`)))
  return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid)
}

function inUse(path: string, pid: number): Error {
  return refusal(
    `DATA_DIR ${path} is already used by a running instance (process ${pid}). Stop that one first, or choose another DATA_DIR.`,
  )
}

/** A link appears with its content in one step, so nobody reads half a claim. */
function placeClaim(draft: string, claim: string): boolean {
  try {
    linkSync(draft, claim)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Takes a dead claim away, and puts it back when meanwhile another starter had already replaced it by a live one. */
function setAside(claim: string, expected: string, draft: string): void {
  const aside = `${draft}.stale`
  try {
    renameSync(claim, aside)
    if (readFileSync(aside, 'utf8') !== expected) placeClaim(aside, claim)
    rmSync(aside, { force: true })
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
