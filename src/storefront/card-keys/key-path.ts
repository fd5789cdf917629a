import type { KeysState } from './data.ts'

/** Address of the page where something is asked about a key: a proof before it is revealed, or what is wrong with it. */
export function keyPath({ path }: KeysState, id: string, step?: 'report'): string {
  return `${path}${path.includes('?') ? '&' : '?'}key=${encodeURIComponent(id)}${step === undefined ? '' : `&do=${step}`}#key-${id}`
}
