import { describe, expect, it } from 'vitest'
import { createDrawingQueue } from './drawing-queue.ts'

describe('the drawing queue', () => {
  it('runs no more than its jobs at once and refuses beyond its line', async () => {
    const queue = createDrawingQueue({ jobs: 2, waiting: 3 })
    let running = 0
    let most = 0
    const task = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return 'done'
    }
    const answers = Array.from({ length: 7 }, () => queue.run(task))
    expect(answers.filter((answer) => answer === null)).toHaveLength(2)
    expect(await Promise.all(answers.filter((answer) => answer !== null))).toEqual(
      Array(5).fill('done'),
    )
    expect(most).toBe(2)
    expect(await queue.run(task)).toBe('done')
  })

  it('goes on after a task that failed', async () => {
    const queue = createDrawingQueue({ jobs: 1, waiting: 5 })
    const failed = queue.run(() => Promise.reject(new Error('no')))
    const next = queue.run(() => Promise.resolve('yes'))
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
