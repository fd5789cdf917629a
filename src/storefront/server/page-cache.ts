import { LRUCache } from 'lru-cache'
import type { ContentEncoding, EncodedBody } from '#platform/http/encoding.ts'

/** A finished page: what the listener writes without asking anything else. */
export interface CachedPage {
  readonly body: EncodedBody
  readonly etag: string
  /** What it was made of, in few letters: made of the same, it would come out the same. */
  readonly says: string
  /** Headers as they go out, by encoding; made when first sent. */
  readonly headers: Map<ContentEncoding, readonly string[]>
}

interface Kept {
  readonly page: CachedPage
  /** The cache's when it was known to be true last. */
  epoch: number
}

/** Of a page that may no longer be true. */
const IN_DOUBT = -1

/** A page may come to be kept in gzip too, which takes a little more room than brotli. */
const WITH_GZIP = 2.3

/**
 * Finished pages by address and currency (the language is in the address), bounded by bytes. When the catalogue changes they are in
 * doubt, and sent again once what they would be made of is seen to be the same. Only canonical addresses are kept, so that made-up
 * query parameters cannot fill it.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Kept>
  #epoch = 0
  /** Grows with every doubt: a page that was begun before is not kept any more. */
  generation = 0

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ page }, key) =>
        Math.ceil(page.body.br.length * WITH_GZIP) + key.length * 2 + 300,
    })
  }

  /** A page that is known to be true. */
  get(address: string, currency: string): CachedPage | undefined {
    const kept = this.#pages.get(`${currency} ${address}`)
    return kept?.epoch === this.#epoch ? kept.page : undefined
  }

  set(address: string, currency: string, page: CachedPage): void {
    this.#pages.set(`${currency} ${address}`, { page, epoch: this.#epoch })
  }

  /** The page kept for an address, in doubt or not, if it says this: it is true again. Any other goes. */
  confirm(address: string, currency: string, says: string): CachedPage | undefined {
    const key = `${currency} ${address}`
    const kept = this.#pages.get(key)
    if (kept?.page.says !== says) {
      this.#pages.delete(key)
      return undefined
    }
    kept.epoch = this.#epoch
    return kept.page
  }

  /** Doubts the pages whose path (without language) is meant, in every language and currency and with any query. */
  doubt(isMeant: (path: string) => boolean): void {
    this.generation += 1
    const known = new Map<string, boolean>()
    for (const key of this.#pages.keys()) {
      const path = plainPath(key.slice(key.indexOf(' ') + 1))
      let meant = known.get(path)
      if (meant === undefined) known.set(path, (meant = isMeant(path)))
      const kept = meant ? this.#pages.peek(key) : undefined
      if (kept) kept.epoch = IN_DOUBT
    }
  }

  doubtAll(): void {
    this.generation += 1
    this.#epoch += 1
  }
}

/** Without query and language. */
function plainPath(address: string): string {
  const path = address.split('?', 1)[0] ?? ''
  return path.replace(/^\/(?:zh-tw|[a-z]{2})(?=\/|$)/, '') || '/'
}
