/** All chance in a picture comes from one hash of a text, so the same recipe always gives the same picture. */

/** FNV-1a over code points with a final mix; an unsigned 32-bit number. */
export function hash(text: string): number {
  let h = 2166136261
  for (const char of text) {
    h ^= char.codePointAt(0) ?? 0
    h = Math.imul(h, 16777619)
  }
  h ^= h >>> 15
  h = Math.imul(h, 2246822507)
  h ^= h >>> 13
  return h >>> 0
}

/** A number in [0, 1); each call gives the next of the sequence. */
export type Random = () => number

/** Mulberry32: small, quick and the same in every engine. */
export function randomFrom(seed: number): Random {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** The entry that the hash (shifted by the caller) selects. */
export function pick<T>(list: readonly [T, ...T[]], at: number): T {
  return list[at % list.length] ?? list[0]
}
