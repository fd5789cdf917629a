import { expect, test } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { assertHashingFree, hashPassword, verifyPassword } from './password-hash.ts'

test('a password is known again by its hash alone', async () => {
  const hashed = await hashPassword('Kelapa7Muda')
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect([
    await verifyPassword(hashed, 'Kelapa7Muda'),
    await verifyPassword(hashed, 'kelapa7muda'),
    await verifyPassword(null, 'Kelapa7Muda'),
  ]).toEqual([true, false, false])
})

test('a rush waits in a short line; more are asked to come again, and soon it is free', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 300 }, () => verifyPassword(null, 'Kelapa7Muda')),
  )
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  expect(refused.length).toBeGreaterThan(100)
  expect(results.length - refused.length).toBeGreaterThan(128)
  for (const error of refused)
    expect(isAppError(error) && [error.code, error.params]).toEqual([
      'too_many_requests',
      { seconds: 5 },
    ])
  expect(() => assertHashingFree()).not.toThrow()
})
