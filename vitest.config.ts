import { defineConfig } from 'vitest/config'
import react from '@vitejs/plugin-react'
import { messagesPlugin } from './scripts/vite-messages.ts'

const resolve = { alias: [{ find: /^#/, replacement: new URL('./src/', import.meta.url).pathname }] }

/** `unit` needs nothing outside the process; `db` gets a real PostgreSQL, one database a file. */
export default defineConfig({
  test: {
    projects: [
      { plugins: [react(), messagesPlugin()], resolve, test: { name: 'unit', include: ['{src,scripts,test/support}/**/*.test.{ts,tsx}'], exclude: ['**/*.db.test.ts'], testTimeout: 20_000 } },
      {
        resolve,
        test: { name: 'db', include: ['{src,test/upgrade}/**/*.db.test.ts'], globalSetup: 'test/support/postgres-server.ts', testTimeout: 30_000, hookTimeout: 60_000 },
      },
    ],
  },
})
