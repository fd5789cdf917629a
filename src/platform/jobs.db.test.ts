import { run } from 'graphile-worker'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { enqueue, transaction } from './ctx.ts'
import { jobLogger } from './jobs.ts'

const database = useDatabase()

test('a job exists if and only if its transaction was committed, and is run once', async () => {
  const { ctx, url } = database
  await expect(
    transaction(ctx, async (tx) => {
      await enqueue(tx, 'test.note', { said: 'never' }, 'rolled-back')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await transaction(ctx, (tx) => enqueue(tx, 'test.note', { said: 'first' }, 'kept'))
  await transaction(ctx, (tx) => enqueue(tx, 'test.note', { said: 'second' }, 'kept'))

  const said: unknown[] = []
  // The queue does not wait for the end of a pool of its own, which would be cut off with its database.
  const pgPool = new pg.Pool({ connectionString: url })
  const runner = await run({
    pgPool,
    concurrency: 2,
    noHandleSignals: true,
    logger: jobLogger(ctx.log),
    taskList: { 'test.note': (payload) => void said.push((payload as { said: string }).said) },
  })
  await vi.waitFor(() => expect(said).toEqual(['second']), { timeout: 60_000 })
  await runner.stop()
  await pgPool.end()
})
