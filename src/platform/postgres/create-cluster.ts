import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { refusal } from '../refusal.ts'
import type { Place } from './place.ts'

/**
 * Runs initdb beside the final folder and renames, so that an interrupted one leaves nothing that looks like a database.
 * Text sorts by code point and changes case by Unicode's rules, through PostgreSQL's built-in provider: the same on every machine.
 */
export async function createCluster(
  place: Place,
  options: { user: string; password: string; durable: boolean },
): Promise<void> {
  const unfinished = `${place.cluster}.new`
  const passwordFile = join(dirname(place.cluster), 'postgres-password.new')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
  try {
    if (place.account)
      for (const path of [unfinished, passwordFile])
        chownSync(path, place.account.uid, place.account.gid)
    await initdb(place, [
      '--pgdata',
      unfinished,
      '--username',
      options.user,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--data-checksums',
      ...(options.durable ? [] : ['--no-sync']),
    ])
    rmSync(place.cluster, { recursive: true, force: true })
    renameSync(unfinished, place.cluster)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function initdb(place: Place, args: string[]): Promise<void> {
  const child = spawn(join(place.binaries.folder, 'bin', 'initdb'), args, {
    ...(place.account ? { uid: place.account.uid, gid: place.account.gid } : {}),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [complaint, ended] = await Promise.all([text(child.stderr), code])
  if (ended !== 0)
    throw refusal(
      `PostgreSQL could not make its data folder: ${complaint.trim().replaceAll('\n', ' ') || `initdb ended with ${ended}`}`,
    )
}
