import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('so many are let through in a second, however many wait', async () => {
  const pace = createPace(100)
  const began = performance.now()
  await Promise.all(Array.from({ length: 31 }, () => pace()))
  expect(performance.now() - began).toBeGreaterThan(280)
})
