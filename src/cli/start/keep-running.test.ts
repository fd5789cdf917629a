import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { createLogger } from '#platform/log.ts'
import { isAlive } from '#platform/processes.ts'
import { keepRunning, type Exit, type RunningProcess } from './keep-running.ts'

const log = createLogger({ level: 'error', write: () => {} })

function run(script: string): RunningProcess {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  return {
    pid: child.pid ?? 0,
    exited,
    kill: () => void child.kill('SIGKILL'),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const FOREVER = 'setInterval(() => {}, 1000)'

test('a killed process is started again, and stays stopped once stopped', async () => {
  const pids: number[] = []
  const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const kept = keepRunning({
    name: 'web',
    log,
    first: run(FOREVER),
    launch: async () => run(FOREVER),
    firstDelayMs: 1,
    onStart: (pid) => {
      pids.push(pid)
      started[pids.length - 1]?.resolve()
    },
  })
  await started[0]?.promise
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await started[1]?.promise
  expect(isAlive(pids[1] ?? 0)).toBe(true)
  await kept.stop()
  expect(pids.map(isAlive)).toEqual([false, false])
})

test('a process killed again and again is started again each time', async () => {
  let starts = 1
  const tenth = Promise.withResolvers<void>()
  const kept = keepRunning({
    name: 'postgres',
    log,
    first: run(FOREVER),
    launch: async () => {
      starts += 1
      return run(FOREVER)
    },
    firstDelayMs: 1,
    onStart: (pid) => {
      if (starts < 10) process.kill(pid, 'SIGKILL')
      else tenth.resolve()
    },
  })
  await tenth.promise
  expect(starts).toBe(10)
  await kept.stop()
})

test('a process that keeps ending right after its start is given up with a sentence', async () => {
  let starts = 1
  const kept = keepRunning({
    name: 'worker',
    log,
    first: run('process.exit(3)'),
    firstDelayMs: 1,
    launch: async () => {
      starts += 1
      return run('process.exit(3)')
    },
  })
  expect(await kept.givenUp).toBe(
    'The worker process ended 5 times right after its start (ended with code 3); the lines above say why.',
  )
  expect(starts).toBe(5)
})

test('a process that has worked is started again for as long as it takes', async () => {
  let starts = 1
  const twelfth = Promise.withResolvers<void>()
  const kept = keepRunning({
    name: 'postgres',
    log,
    first: run(FOREVER),
    firstDelayMs: 1,
    launch: () => {
      starts += 1
      // A full disk: neither a crash at the start nor none at all ends the trying.
      return starts % 2 === 0 && starts < 12
        ? Promise.reject(new Error('disk full'))
        : Promise.resolve(run(starts < 12 ? 'process.exit(1)' : FOREVER))
    },
    onStart: (pid) => {
      if (starts === 1) process.kill(pid, 'SIGKILL')
      if (starts === 12) twelfth.resolve()
    },
  })
  const givenUp = Promise.race([kept.givenUp, twelfth.promise])
  expect(await givenUp).toBe(undefined)
  await kept.stop()
})

test('a process that ends to be renewed is followed by the next one at once, and that is no failure', async () => {
  const pids: number[] = []
  const eighth = Promise.withResolvers<void>()
  const kept = keepRunning({
    name: 'pictures',
    log,
    first: run('setTimeout(() => {}, 1_100)'),
    launch: async () => run('setTimeout(() => {}, 1_100)'),
    isRenewed: true,
    firstDelayMs: 60_000,
    onStart: (pid) => {
      pids.push(pid)
      if (pids.length === 8) eighth.resolve()
    },
  })
  await eighth.promise
  await kept.stop()
  expect(new Set(pids).size).toBe(8)
})

test('a process that cannot be launched any more counts as ended', async () => {
  const kept = keepRunning({
    name: 'postgres',
    log,
    first: run('process.exit(1)'),
    firstDelayMs: 1,
    launch: () => Promise.reject(new Error('disk full')),
  })
  expect(await kept.givenUp).toContain('could not be started')
})

test('stopping during the pause before a new start starts nothing', async () => {
  let starts = 0
  const first = run('process.exit(1)')
  const kept = keepRunning({
    name: 'web',
    log,
    first,
    firstDelayMs: 60_000,
    launch: async () => {
      starts += 1
      return run(FOREVER)
    },
  })
  await first.exited
  await kept.stop()
  expect(starts).toBe(0)
})
