import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { afterOwn } from './turns.ts'

test('what one operator asks for is done one after another, also behind what failed, and nobody else waits for it', async () => {
  let running = 0
  let most = 0
  const work = (fails: boolean) => async () => {
    most = Math.max(most, (running += 1))
    await sleep(2)
    running -= 1
    if (fails) throw new Error('no')
    return 'done'
  }
  const asked = Array.from({ length: 20 }, (_, at) => afterOwn('operator:ann', work(at === 3)))
  const answers = await Promise.allSettled(asked)
  expect(most).toBe(1)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)

  const never = afterOwn('operator:ann', () => new Promise<string>(() => {}))
  expect(await afterOwn('operator:ben', work(false))).toBe('done')
  expect(never).toBeInstanceOf(Promise)
})
