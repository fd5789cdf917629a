import { expect, test } from 'vitest'
import { sweep } from './sweep.ts'

test('one that fails is told and holds up no other', async () => {
  const told: unknown[] = []
  const log = { error: (message: string, fields?: object) => void told.push([message, fields]) }
  const done: string[] = []
  const count = await sweep(
    { log },
    ['a', 'broken', 'b', 'nothing to do'],
    'a thing',
    async (one) => {
      if (one === 'broken') throw new Error('no')
      done.push(one)
      return one !== 'nothing to do'
    },
  )
  expect([count, done]).toEqual([2, ['a', 'b', 'nothing to do']])
  expect(told).toEqual([
    ['a sweep left one out: a thing', { one: 'broken', error: new Error('no') }],
  ])
})
