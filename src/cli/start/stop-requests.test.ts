import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listenForStop, sayWaiting } from './stop-requests.ts'

test('a stop is answered at once, and a second request within the same second is the same one', async () => {
  const lines: string[] = []
  let impatient = 0
  const stop = listenForStop(
    (line) => void lines.push(line),
    () => void (impatient += 1),
  )
  process.emit('SIGINT')
  expect(lines).toEqual(['Stopping. Ask once more to wait for nothing.'])
  process.emit('SIGTERM')
  await stop.asked
  expect([impatient, lines.length]).toEqual([0, 1])
  await sleep(1_050)
  process.emit('SIGINT')
  expect(impatient).toBe(1)
  stop.ignore()
})

test('what takes long to end is named, what ends soon is not', async () => {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  expect(await sayWaiting(Promise.resolve(7), { what: 'the web process', say })).toBe(7)
  await sayWaiting(sleep(150), { what: 'the worker process', say, afterMs: 40 })
  expect(lines.length).toBeGreaterThanOrEqual(2)
  expect(lines[0]).toBe('Waiting for the worker process to end (0 s).')
})
