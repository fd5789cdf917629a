import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import react from '@vitejs/plugin-react'
import { messagesPlugin } from './scripts/vite-messages.ts'

const resolve = {
  alias: [{ find: /^#/, replacement: new URL('./src/', import.meta.url).pathname }],
}

/**
 * A process for each processor, each with the modules of the program loaded once for all of its files: starting and loading
 * them anew cost more than the tests. What modules keep between calls is derived or counted back, never a state of the shop.
 */
const run = {
  isolate: false,
  maxWorkers: Math.min(availableParallelism(), 4),
  testTimeout: 60_000,
  hookTimeout: 60_000,
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
          include: ['{src,scripts,test/support}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts'],
        },
      },
      {
        resolve,
        test: {
          ...run,
          name: 'db',
          include: ['{src,test/upgrade}/**/*.db.test.ts'],
          globalSetup: 'test/support/postgres-server.ts',
        },
      },
    ],
  },
})
