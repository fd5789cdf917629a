import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BreakerOpen, createBreaker } from './breaker.ts'

const SLOW = 20
const silence = () =>
  sleep(SLOW + 5).then(() => {
    throw new Error('no answer')
  })
const outcome = (work: Promise<unknown>) =>
  work.then(
    (answer) => answer,
    (error: unknown) => (error instanceof BreakerOpen ? 'not asked' : 'asked in vain'),
  )

test('a service that keeps everybody waiting is asked nothing more, but one thing now and then, until it answers', async () => {
  const changes: boolean[] = []
  const breaker = createBreaker({
    slowMs: SLOW,
    pauseMs: 60,
    onChange: (isAway) => void changes.push(isAway),
  })
  expect(await Promise.all(Array.from({ length: 8 }, () => outcome(breaker.run(silence))))).toEqual(
    Array<string>(8).fill('asked in vain'),
  )
  expect([breaker.room(), await outcome(breaker.run(async () => 'answer'))]).toEqual([
    'none',
    'not asked',
  ])
  await sleep(70)
  expect(breaker.room()).toBe('one')
  expect(await Promise.all([outcome(breaker.run(silence)), outcome(breaker.run(silence))])).toEqual(
    ['asked in vain', 'not asked'],
  )
  await sleep(70)
  expect(breaker.room()).toBe('none')
  await sleep(70)
  expect(await outcome(breaker.run(async () => 'answer'))).toBe('answer')
  expect([breaker.room(), changes]).toEqual(['all', [true, false]])
})

test('a service that says no at once, or fails now and then, is asked on', async () => {
  const breaker = createBreaker({ slowMs: SLOW })
  for (let time = 0; time < 20; time += 1)
    await outcome(
      breaker.run(async () => {
        throw new Error('no')
      }),
    )
  for (let time = 0; time < 3; time += 1) await outcome(breaker.run(silence))
  await breaker.run(async () => 'answer')
  for (let time = 0; time < 3; time += 1) await outcome(breaker.run(silence))
  expect(breaker.room()).toBe('all')
})
