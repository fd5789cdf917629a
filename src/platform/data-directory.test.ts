import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimDataDirectory, endLeftProcesses, makeDataDirectory } from './data-directory.ts'
import { isAlive } from './processes.ts'
import { runsAsRoot } from './postgres/access.ts'

let parent = ''
let folder = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lukado-data-'))
  folder = join(parent, 'deep', 'data')
})
afterEach(() => {
  chmodSync(parent, 0o700)
  rmSync(parent, { recursive: true })
})

test('a new directory is closed to other users', () => {
  makeDataDirectory(folder)
  expect(statSync(folder).mode & 0o777).toBe(runsAsRoot() ? 0o711 : 0o700)
})

test('a folder that its owner made for it is closed as well, when it is first used', () => {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  writeFileSync(join(folder, 'vault.key'), '')
  makeDataDirectory(folder)
  expect(statSync(folder).mode & 0o777).toBe(runsAsRoot() ? 0o711 : 0o700)
})

test('a directory in use keeps the mode its owner gave it', () => {
  makeDataDirectory(folder)
  chmodSync(folder, 0o750)
  makeDataDirectory(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o750)
})

test('a directory in use is refused, and free again after release', () => {
  makeDataDirectory(folder)
  const claimed = claimDataDirectory(folder, 'all')
  expect(() => claimDataDirectory(folder, 'all')).toThrow(
    `already used by a running instance (process ${process.pid})`,
  )
  claimed.notePid('web', 123)
  claimed.forgetPid('web')
  claimed.release()
  claimDataDirectory(folder, 'all').release()
  expect(existsSync(join(folder, 'run', 'start-all.pid'))).toBe(false)
})

test('processes a killed program left are ended, and another program with such an id is left alone', async () => {
  makeDataDirectory(folder)
  const script = join(parent, 'server.js')
  writeFileSync(script, "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)")
  const left = spawn(process.execPath, [script], { stdio: 'ignore' })
  await new Promise((resolve) => left.once('spawn', resolve))
  writeFileSync(join(folder, 'run', 'web.pid'), `${left.pid}\n`)
  writeFileSync(join(folder, 'run', 'worker.pid'), `${process.pid}\n`)
  await endLeftProcesses(folder, { web: script, worker: join(parent, 'worker.ts') }, 200)
  expect(isAlive(left.pid ?? 0)).toBe(false)
  expect(isAlive(process.pid)).toBe(true)
})

test.each([
  ['a process that is gone', '4194304 123 boot\n'],
  ['another program that got the same process id', `${process.pid} 1 another-boot\n`],
  ['nothing readable', ''],
])('a claim left by %s does not stop the next start', (_, left) => {
  makeDataDirectory(folder)
  writeFileSync(join(folder, 'run', 'start-all.pid'), left)
  claimDataDirectory(folder, 'all').release()
})

test.each([
  ['/proc/lukado', 'cannot be made there: this place takes no folders'],
  ['/proc/lukado/deeper', 'cannot be made there: this place takes no folders'],
  [join(import.meta.dirname, 'log.ts'), 'is a file, or lies in one'],
  [join(import.meta.dirname, 'log.ts', 'shop'), 'is a file, or lies in one'],
])('a DATA_DIR that can be no folder is refused at once in one sentence: %s', (path, words) => {
  expect(() => makeDataDirectory(path)).toThrow(words)
})
