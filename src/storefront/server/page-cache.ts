import { LRUCache } from 'lru-cache'
import type { ContentEncoding, EncodedBody } from '#platform/http/encoding.ts'

/** A finished page: what the listener writes without asking anything else. */
export interface CachedPage {
  readonly body: EncodedBody
  readonly etag: string
  /** Headers as they go out, by encoding; made when first sent. */
  readonly headers: Map<ContentEncoding, readonly string[]>
}

/** A page may come to be kept in gzip too, which takes a little more room than brotli. */
const WITH_GZIP = 2.3

/**
 * Finished pages by address and currency (the language is in the address), bounded by bytes. Emptied when the catalogue
 * changes. Only canonical addresses are kept, so that made-up query parameters cannot fill it.
 */
export class PageCache {
  readonly #pages: LRUCache<string, CachedPage>
  /** Grows with everything that is forgotten: a page that was begun before is not kept any more. */
  generation = 0

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (page, key) =>
        Math.ceil(page.body.br.length * WITH_GZIP) + key.length * 2 + 300,
    })
  }

  get(address: string, currency: string): CachedPage | undefined {
    return this.#pages.get(`${currency} ${address}`)
  }

  set(address: string, currency: string, page: CachedPage): void {
    this.#pages.set(`${currency} ${address}`, page)
  }

  /** Forgets the pages at these paths, in every language and currency and with any query. */
  forget(paths: ReadonlySet<string>): void {
    this.generation += 1
    for (const key of this.#pages.keys()) {
      const path = key.slice(key.indexOf(' ') + 1).split('?', 1)[0] ?? ''
      if (paths.has(path) || paths.has(path.replace(/^\/(?:zh-tw|[a-z]{2})(?=\/)/, '')))
        this.#pages.delete(key)
    }
  }

  clear(): void {
    this.generation += 1
    this.#pages.clear()
  }
}
