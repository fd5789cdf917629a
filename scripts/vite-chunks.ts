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

const REACT = /\/node_modules\/(?:react|react-dom|scheduler)\//
/** What stands around imports: with what every page fetches, so that it is no file of its own. */
const JOINTS = /vite\/preload-helper/
const ENTRY = /\/browser\/entry\.ts$/
/** Names every stylesheet, and is never fetched itself. */
const STYLES = /\/browser\/styles\.ts$/
/** What answers on a product's page before React is there. */
const EARLY = /\/product\/early\.ts$/
/** What brings islands to life: fetched with every product, and no file of its own. */
const ISLANDS = /\/browser\/islands\.tsx$/
/** What brings a page to life whole. */
const WHOLE = /\/browser\/whole\.tsx$/
/** The pages that shoppers come to first and that fetch React at once: they get nothing that only others share. */
const PRODUCT = /\/product\/islands\.tsx$/
const RECHARGE = /\/recharge\/page\.tsx$/
/** Fetched by pages for who is signed in, after themselves: it adds nothing to what others share. */
const AFTERWARDS = /\/(?:recharge\/personal|product\/saved-accounts)\.tsx$/
/** Islands of the header, on every page. */
const FRAME = /\/shell\/(?:live-search|account-menu)\.tsx$/
/** Modules that are fetched by themselves: a page whole, what opens it, islands. */
const OWN = /\/([\w-]+)\/(?:page|islands)\.tsx$|\/([\w-]+)\.tsx?$/

const SHARED = ['core', 'react', 'early', 'life', 'parts', 'frame', 'pages'] as const
type Shared = (typeof SHARED)[number]

/**
 * First who takes what they share: a chunk brings along what its modules need, as far as no earlier one has it. `core` is what runs on
 * every page, and what `early` shares with pages that do without it; what more than one page needs is in `life` (a product and others that
 * come alive at once), `parts` (recharges), `frame` or `pages`; what only one needs is in a chunk of its name.
 */
export const CHUNK_GROUPS = [...SHARED, 'own', 'afterwards'].map((group, index) => ({
  name: (id: string, graph: Graph) => {
    const roots = rootsOf(id, graph)
    const [root = ''] = roots
    const shared = sharedChunk(id, roots)
    if (shared !== null || roots.length !== 1) return shared === group ? shared : null
    return group === (AFTERWARDS.test(root) ? 'afterwards' : 'own') ? nameOf(root) : null
  },
  debugName: group,
  priority: SHARED.length + 1 - index,
}))

function sharedChunk(id: string, roots: readonly string[]): Shared | null {
  if (JOINTS.test(id)) return 'core'
  if (REACT.test(id)) return 'react'
  const isOf = (part: RegExp) => roots.some((root) => part.test(root))
  if (isOf(ENTRY)) return 'core'
  if (isOf(EARLY)) return isOf(WHOLE) || isOf(RECHARGE) ? 'core' : 'early'
  if (isOf(ISLANDS)) return 'life'
  if (roots.length < 2) return null
  if (isOf(PRODUCT)) return 'life'
  if (isOf(RECHARGE)) return 'parts'
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
  const first = [...found].filter((root) => !AFTERWARDS.test(root))
  return first.length === 0 ? [...found] : first
}

/** The server looks chunks up by it (`readChunks`): the folder of a page, the file of what stands beside pages. */
function nameOf(root: string): string | null {
  const [, folder, file] = OWN.exec(root) ?? []
  return folder ?? file ?? null
}
