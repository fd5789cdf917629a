import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
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

/**
 * A chunk is fetched when it is asked for, and by nothing else: the server names those of a page in its HTML, and there is one
 * stylesheet. What Vite puts around each import to preload its neighbours would be another half kilobyte of every page.
 */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js')
        ? 'export const __vitePreload = (load) => load()'
        : undefined,
  }
}

/** Names of classes are short, as every page carries hundreds of them: two alike would be one. */
function refuseSameNames() {
  const owners = new Map<string, string>()
  return (file: string, names: Readonly<Record<string, string>>): void => {
    for (const [local, name] of Object.entries(names)) {
      const owner = `${file} .${local}`
      const other = owners.get(name)
      if (other !== undefined && other !== owner)
        throw new Error(`${owner} and ${other} are both called ${name}: rename one`)
      owners.set(name, owner)
    }
  }
}

/** Three builds: the shop's files for browsers, the console's (`--mode console`), and the web process (`--ssr`). */
export default defineConfig(({ isSsrBuild, mode }) => ({
  appType: 'custom',
  plugins: [react(), messagesPlugin(), ...(isSsrBuild ? [] : [plainImports()])],
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
  css: { modules: { generateScopedName: '[hash:base64:4]', getJSON: refuseSameNames() } },
  publicDir: mode === 'console' ? false : 'src/storefront/public',
}))
