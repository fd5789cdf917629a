import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Says a kilobyte ten times a turn, tells by its exit code that it could, and over the channel how much waits. */
const TALKER = `
const { surviveOutput } = await import(${JSON.stringify(join(import.meta.dirname, 'output.ts'))})
surviveOutput()
let turns = 0
process.on('message', () => process.exit(7))
setInterval(() => {
  for (let line = 0; line < 100; line += 1) process.stderr.write('x'.repeat(1000) + '\\n')
  if (++turns === 60) process.send({ waiting: process.stderr.writableLength })
}, 1)`

const GAP = /\d+ lines are lost here/

function talker(stderr: 'pipe' | number): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', TALKER], {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  })
}

async function waitingOf(child: ChildProcess): Promise<number> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${code}`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return (message as { waiting: number }).waiting
}

const ended = async (child: ChildProcess) => {
  child.send('end')
  return (await once(child, 'exit'))[0] as number
}

test('a reader that stands still fills no memory, and hears of the gap when it reads on', async () => {
  const child = talker('pipe')
  child.stderr?.pause()
  expect(await waitingOf(child)).toBeLessThan(2_000_000)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = (said + String(chunk)).slice(-100_000)
    if (GAP.test(said)) child.stderr?.removeAllListeners('data')
  })
  child.stderr?.resume()
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(GAP)
  expect(await ended(child)).toBe(7)
})

test('a reader that has gone ends nobody', async () => {
  const child = talker('pipe')
  child.stderr?.destroy()
  await waitingOf(child)
  expect(await ended(child)).toBe(7)
})

test.runIf(existsSync('/dev/full'))('a full disk under the output ends nobody', async () => {
  const child = talker(openSync('/dev/full', 'w'))
  await waitingOf(child)
  expect(await ended(child)).toBe(7)
})
