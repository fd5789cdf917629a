import { fileURLToPath } from 'node:url'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import react from '@vitejs/plugin-react'
import { messagesPlugin } from './scripts/vite-messages.ts'

const resolve = {
  alias: [{ find: /^#/, replacement: fileURLToPath(new URL('./src/', import.meta.url)) }],
}

/**
 * Processes, each with the modules of the program loaded once for all of its files: starting and loading
 * them anew cost more than the tests. What modules keep between calls is derived or counted back, never a state of the shop.
 */
const run = {
  isolate: false,
  // A third of the time is waiting: for another process, for a supplier that answers late, for a bound to pass.
  maxWorkers: Math.min(Math.ceil(availableParallelism() * 1.5), 6),
  // A bound on hanging, not on work: on a busy machine work takes as long as it takes.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  setupFiles: 'test/support/properties.ts',
  expect: { poll: { timeout: 60_000 } },
} as const

/** `unit` needs nothing outside the process; `db` gets a real PostgreSQL, one database a file. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [react(), messagesPlugin()],
        resolve,
        test: {
          ...run,
          name: 'unit',
          include: [
            '{src,scripts,test/faults,test/support,test/recipes,test/documentation}/**/*.test.{ts,tsx}',
          ],
          exclude: ['**/*.db.test.ts'],
        },
      },
      {
        resolve,
        // Pages are rendered as in production: the development's React takes many times as long, and some of these tests measure.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          ...run,
          name: 'db',
          env: { NODE_ENV: 'production' },
          include: ['{src,test/upgrade,test/dev,test/documentation}/**/*.db.test.ts'],
          globalSetup: 'test/support/postgres-server.ts',
        },
      },
    ],
  },
})
