import type { Plugin } from 'vite'

/** What the server reads from files itself, so that Vite knows no module of it: their changes reach this module and its importers. */
const MESSAGE_FILES = /\/locales\/[a-z-]+\/[a-z-]+\.json$/
const MESSAGES_MODULE = /\/src\/platform\/i18n\/messages\.ts$/
const SERVED = /\/(?:src|locales)\//
const TESTS = /\.(?:test|e2e)\.tsx?$/

/** Files of one save, or of one checkout of git, arrive together. */
const TOGETHER_MS = 15

/**
 * Calls `reload` when a file of the server has changed, after Vite has dropped the modules made from it: asked earlier, it
 * would be given those of before.
 */
export function reloadPlugin(reload: (files: readonly string[]) => void): Plugin {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  return {
    name: 'lukado-reload',
    hotUpdate({ file, timestamp }) {
      if (this.environment.name !== 'ssr' || !SERVED.test(file) || TESTS.test(file)) return
      if (MESSAGE_FILES.test(file)) {
        const { moduleGraph } = this.environment
        for (const [id, module] of moduleGraph.idToModuleMap)
          if (MESSAGES_MODULE.test(id))
            moduleGraph.invalidateModule(module, new Set(), timestamp, true)
      }
      changed.add(file)
      clearTimeout(timer)
      timer = setTimeout(() => {
        const files = [...changed]
        changed.clear()
        reload(files)
      }, TOGETHER_MS)
    },
  }
}
