import type { Log } from './log.ts'

/**
 * What a sweep does for each of what it found, one after the other. One that fails is told in the log, for the next run to try again,
 * and holds up no other. @param work answers false where there was nothing to do after all
 * @returns for how many it was done
 */
export async function sweep(
  ctx: { readonly log: Pick<Log, 'error'> },
  found: readonly string[],
  what: string,
  work: (one: string) => Promise<unknown>,
): Promise<number> {
  let count = 0
  for (const one of found) {
    try {
      if ((await work(one)) !== false) count += 1
    } catch (error) {
      ctx.log.error(`a sweep left one out: ${what}`, { one, error })
    }
  }
  return count
}
