import { LRUCache } from 'lru-cache'
import type { CachedAnswer } from './answer.ts'

export interface AnswerCacheOptions {
  readonly maxBytes: number
  /** Of answers to free text, which anybody can make up without end. */
  readonly freeTextMaxBytes: number
}

export interface AnswerCache {
  /** By the address exactly as sent: no parsing. */
  readonly byTarget: (target: string) => CachedAnswer | undefined
  /** By what the address means. */
  readonly byKey: (key: string) => CachedAnswer | undefined
  readonly keep: (key: string, answer: CachedAnswer, isFreeText: boolean) => void
  /** Remembers that an address means a key. Never give it an address that holds a token. */
  readonly link: (target: string, key: string) => void
  readonly clear: () => void
}

const TARGETS_MAX_BYTES = 4 * 1024 * 1024
const TARGET_MAX_LENGTH = 1_024
/** Both compressed forms come on top of the bytes themselves. */
const WITH_ENCODINGS = 1.4
const ENTRY_OVERHEAD = 1_200

const share = (bytes: number, parts: number) => Math.max(1, Math.floor(bytes / parts))

/** Answers made so far, bounded by bytes: many addresses (other orders, unknown parameters) may mean one answer. */
export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const sizeCalculation = (answer: CachedAnswer, key: string) =>
    Math.ceil((answer.plain.body?.length ?? 0) * WITH_ENCODINGS) + key.length * 2 + ENTRY_OVERHEAD
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: options.maxBytes,
    maxEntrySize: share(options.maxBytes, 8),
    sizeCalculation,
  })
  const freeText = new LRUCache<string, CachedAnswer>({
    maxSize: options.freeTextMaxBytes,
    maxEntrySize: share(options.freeTextMaxBytes, 16),
    sizeCalculation,
  })
  const keys = new LRUCache<string, string>({
    maxSize: TARGETS_MAX_BYTES,
    sizeCalculation: (key, target) => (key.length + target.length) * 2 + 100,
  })
  const byKey = (key: string) => answers.get(key) ?? freeText.get(key)
  return {
    byKey,
    byTarget: (target) => {
      const key = keys.get(target)
      return key === undefined ? undefined : byKey(key)
    },
    keep: (key, answer, isFreeText) => void (isFreeText ? freeText : answers).set(key, answer),
    link: (target, key) => {
      if (target.length <= TARGET_MAX_LENGTH) keys.set(target, key)
    },
    clear: () => {
      answers.clear()
      freeText.clear()
      keys.clear()
    },
  }
}
