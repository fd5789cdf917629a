import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from '#platform/log.ts'
import { freePort } from '#platform/free-port.ts'
import { isAlive } from '#platform/processes.ts'
import {
  keepRunning,
  type Exit,
  type KeepOptions,
  type SupervisedProcess,
  type RunningProcess,
} from './keep-running.ts'
import { healthAnswers, heartbeats } from './signs-of-life.ts'

/** Longer than a busy machine lets a process wait for its turn. */
const SILENCE_MS = 4_000
const PATIENCE_MS = 300_000
const BEATING = `setInterval(() => process.send('alive'), 50)`
const HANGING = 'for (;;);'

const kept: SupervisedProcess[] = []
afterAll(() => Promise.all(kept.map((one) => one.stop())))

function run(script: string): RunningProcess {
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  return {
    pid: child.pid ?? 0,
    exited,
    kill: () => void child.kill('SIGKILL'),
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
    onHeartbeat: (listener) => {
      child.on('message', listener)
      return () => void child.off('message', listener)
    },
  }
}

/** Keeps one process after the other running, each with its script; the last script for all that follow. */
function keep(scripts: readonly string[], options: Partial<KeepOptions>) {
  const lines: string[] = []
  const pids: number[] = []
  const launch = () => run(scripts[Math.min(pids.length, scripts.length - 1)] ?? '')
  const one = keepRunning({
    name: 'worker',
    first: launch(),
    launch: async () => launch(),
    log: createLogger({ level: 'info', write: (line) => void lines.push(line) }),
    signs: heartbeats,
    silenceMs: SILENCE_MS,
    firstDelayMs: 1,
    onStart: (pid) => void pids.push(pid),
    ...options,
  })
  kept.push(one)
  return { one, pids, lines }
}

async function until(look: () => boolean): Promise<void> {
  for (
    const deadline = performance.now() + PATIENCE_MS;
    performance.now() < deadline;
    await sleep(20)
  )
    if (look()) return
  throw new Error('waited too long')
}

test.concurrent('a process whose event loop hangs is ended and started again, and the log says why', async () => {
  const { pids, lines } = keep([`${BEATING}; setTimeout(() => { ${HANGING} }, 300)`, BEATING], {})
  await until(() => pids.length === 2)
  expect(isAlive(pids[0] ?? 0)).toBe(false)
  expect(lines.join('\n')).toContain(
    'the worker process has given no sign of life for 4 seconds and is ended',
  )
  await sleep(SILENCE_MS + 1_000)
  expect(pids.length).toBe(2)
})

test.concurrent('a process that hangs at each start is given up like one that crashes at each start', async () => {
  const { one, pids } = keep([HANGING], { silenceMs: 300 })
  expect(await one.givenUp).toContain('The worker process ended 5 times right after its start')
  expect(pids.length).toBe(5)
})

test.concurrent('a machine that was suspended restarts nothing', async () => {
  const place = (file: string) => JSON.stringify(join(import.meta.dirname, file))
  // What start does, in a process of its own that can be suspended together with its child.
  const supervisor = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    import { spawn } from 'node:child_process'
    import { keepRunning } from ${place('keep-running.ts')}
    import { heartbeats } from ${place('signs-of-life.ts')}
    const launch = () => {
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(`process.on('disconnect', () => process.exit()); ${BEATING}`)}], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      console.log(child.pid)
      return { pid: child.pid, exited: new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal }))), kill: () => child.kill('SIGKILL'),
        onHeartbeat: (listener) => { child.on('message', listener); return () => {} } }
    }
    const log = { warn() {}, error: (line) => console.log(line) }
    keepRunning({ name: 'worker', log, first: launch(), launch: async () => launch(), signs: heartbeats, silenceMs: ${SILENCE_MS}, firstDelayMs: 1 })
  `,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  supervisor.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  try {
    await until(() => said.endsWith('\n'))
    const child = Number(said)
    const frozen = [supervisor.pid ?? 0, child]
    for (let times = 0; times < 2; times += 1) {
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      await sleep(SILENCE_MS + 2_000)
      // The supervisor first: what its child would say now is not there yet.
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
      await sleep(700)
    }
    expect(said).toBe(`${child}\n`)
    process.kill(child, 'SIGSTOP')
    await until(() => said.includes('no sign of life'))
  } finally {
    supervisor.kill('SIGKILL')
  }
})

test.concurrent('a web process lives by /healthz alone: one that is never ready stays, one that takes long to start stays, one that hangs goes', async () => {
  const port = await freePort()
  const listening = `require('http').createServer((req, res) => { res.statusCode = req.url === '/healthz' ? 200 : 503; res.end() }).listen(${port}, '127.0.0.1')`
  const { pids } = keep(
    [
      `${BEATING}; setTimeout(() => { ${listening}; setTimeout(() => { ${HANGING} }, 8000) }, 5500)`,
      `${BEATING}; ${listening}`,
    ],
    {
      name: 'web',
      signs: healthAnswers(`http://127.0.0.1:${port}/healthz`, 100),
    },
  )
  await sleep(9_000)
  expect(pids.length).toBe(1)
  await until(() => pids.length === 2)
  await sleep(SILENCE_MS + 1_000)
  expect(pids.length).toBe(2)
})

test.concurrent('heartbeats do not stand for a web process that has answered once', async () => {
  const port = await freePort()
  const deaf = `const server = require('http').createServer((req, res) => { res.end(); server.close(); server.closeAllConnections() }).listen(${port}, '127.0.0.1')`
  const { pids } = keep([`${BEATING}; ${deaf}`], {
    name: 'web',
    signs: healthAnswers(`http://127.0.0.1:${port}/healthz`, 100),
  })
  await until(() => pids.length === 2)
})
