import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'
import { CHUNK_GROUPS } from './scripts/vite-chunks.ts'
import { messagesPlugin } from './scripts/vite-messages.ts'

/** An application of its own: no file of the shop's pages changes by it. */
const CONSOLE_BUILD = {
  outDir: 'build/console',
  assetsDir: 'console/assets',
  manifest: true,
  cssMinify: 'lightningcss' as const,
  target: 'baseline-widely-available',
  emptyOutDir: true,
  modulePreload: false as const,
  rolldownOptions: { input: ['src/console/browser/entry.tsx'] },
}

/** Three builds: the shop's files for browsers, the console's (`--mode console`), and the web process (`--ssr`). */
export default defineConfig(({ isSsrBuild, mode }) => ({
  appType: 'custom',
  plugins: [react(), messagesPlugin()],
  resolve: {
    alias: [{ find: /^#/, replacement: fileURLToPath(new URL('./src/', import.meta.url)) }],
  },
  build: isSsrBuild
    ? {
        ssr: true,
        rolldownOptions: { input: 'src/server.ts' },
        outDir: 'build/server',
        target: 'node24',
        minify: false,
        sourcemap: true,
        emptyOutDir: true,
      }
    : mode === 'console'
      ? CONSOLE_BUILD
      : {
        outDir: 'build/client',
        assetsDir: 'assets',
        manifest: true,
        cssCodeSplit: false,
        cssMinify: 'lightningcss' as const,
        // The server names all chunks of a page (src/storefront/server/assets.ts).
        modulePreload: false,
        target: 'baseline-widely-available',
        emptyOutDir: true,
        rolldownOptions: {
          input: ['src/storefront/browser/entry.ts', 'src/storefront/browser/styles.ts'],
          preserveEntrySignatures: 'exports-only',
          output: { codeSplitting: { groups: CHUNK_GROUPS } },
        },
      },
  css: { modules: { generateScopedName: '[hash:base64:5]' } },
  publicDir: mode === 'console' ? false : 'src/storefront/public',
}))
