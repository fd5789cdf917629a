import { keep, readStored, removeStored } from './store.ts'

/** A product as it is shown among those seen before. */
export interface SeenProduct {
  /** Without language prefix. */
  readonly path: string
  readonly name: string
  /** Language of the name where it is not the page's. */
  readonly lang?: string
  readonly image: string
  readonly region: string
}

const KEY = 'seen'
const KEPT_MAX = 9

/** Newest first. It is kept in this browser and told nobody; signing out forgets it with all else. */
export function listSeen(): readonly SeenProduct[] {
  const kept = readStored(KEY)
  return Array.isArray(kept) ? kept.filter(isSeenProduct).slice(0, KEPT_MAX) : []
}

export function rememberSeen(product: SeenProduct): void {
  keep(KEY, [product, ...othersThan(product.path)].slice(0, KEPT_MAX))
}

/** Without the one whose page is looked at. */
export function othersThan(path: string | null): readonly SeenProduct[] {
  return listSeen().filter((product) => product.path !== path)
}

export function forgetSeen(): void {
  removeStored(KEY)
}

/** What is kept may be of another release, or another's doing: it leads to products of this shop and nowhere else. */
function isSeenProduct(value: unknown): value is SeenProduct {
  const product = value as SeenProduct | null
  return (
    typeof product === 'object' &&
    product !== null &&
    typeof product.name === 'string' &&
    typeof product.region === 'string' &&
    /^\/(?:cards|top-up|product)\/[a-z0-9-]+$/.test(product.path) &&
    /^\/img\/[\w./?=&-]+$/.test(product.image) &&
    (product.lang === undefined || /^[a-z]{2}(?:-[a-z]{2})?$/.test(product.lang))
  )
}
