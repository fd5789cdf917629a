/**
 * Which chunk a module of the browser goes into, so that a page needs few files and all of them on one level: the server names them in
 * the HTML (src/storefront/server/assets.ts).
 */

interface Graph {
  readonly getModuleInfo: (id: string) => {
    readonly isEntry: boolean
    readonly importers: readonly string[]
    readonly dynamicImporters: readonly string[]
  } | null
}

/** With the few lines that the bundler joins modules of the old kind by, as React's are. */
const REACT = /\/node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/
const ENTRY = /\/browser\/entry\.ts$/
/** Names every stylesheet, and is never fetched itself. */
const STYLES = /\/browser\/styles\.ts$/
/** What brings islands to life, and the islands of a product. */
const LIFE = /\/(?:browser|product)\/islands\.tsx$/
/** Fetched with every product: no file of its own. */
const ISLANDS = /\/browser\/islands\.tsx$/
/** Islands of the header, on every page. */
const FRAME = /\/shell\/(?:live-search|account-menu)\.tsx$/
/** Modules that are fetched by themselves: a page whole, what opens it, islands. */
const OWN = /\/([\w-]+)\/(?:page|islands)\.tsx$|\/([\w-]+)\.tsx?$/

const SHARED = ['react', 'core', 'life', 'frame', 'pages'] as const
type Shared = (typeof SHARED)[number]

/**
 * First who takes what they share: a chunk brings along what its modules need, as far as no earlier one has it. `core` is what runs on
 * every page; what more than one page needs is in `life`, `frame` or `pages`; what only one needs is in a chunk of its name.
 */
export const CHUNK_GROUPS = [...SHARED, null].map((shared, index) => ({
  name: (id: string, graph: Graph) => {
    const roots = rootsOf(id, graph)
    const chunk = sharedChunk(id, roots)
    if (shared !== null) return chunk === shared ? shared : null
    return chunk === null && roots.length === 1 ? nameOf(roots[0] ?? '') : null
  },
  debugName: shared ?? 'own',
  priority: SHARED.length - index,
}))

function sharedChunk(id: string, roots: readonly string[]): Shared | null {
  if (REACT.test(id)) return 'react'
  const isOf = (part: RegExp) => roots.some((root) => part.test(root))
  if (isOf(ENTRY)) return 'core'
  if (roots.length < 2) return isOf(ISLANDS) ? 'life' : null
  if (isOf(LIFE)) return 'life'
  return isOf(FRAME) ? 'frame' : 'pages'
}

/** The modules that are loaded by themselves and bring this one along. */
function rootsOf(id: string, graph: Graph): readonly string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const climb = (module: string) => {
    if (seen.has(module) || STYLES.test(module)) return
    seen.add(module)
    const info = graph.getModuleInfo(module)
    if (!info) return
    if (info.isEntry || info.dynamicImporters.length > 0) found.add(module)
    for (const importer of info.importers) climb(importer)
  }
  climb(id)
  return [...found]
}

/** The server looks chunks up by it (`readChunks`): the folder of a page, the file of what stands beside pages. */
function nameOf(root: string): string | null {
  const [, folder, file] = OWN.exec(root) ?? []
  return folder ?? file ?? null
}
