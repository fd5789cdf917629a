import { setTimeout as sleep } from 'node:timers/promises'
import { listOverrides } from '#features/office/text/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { replaceTexts } from '#platform/i18n/messages.ts'
import { listen } from '#platform/notifications.ts'

const RETRY_MS = 1_000
/** None is named where word of changes was missed. */
const TABLES = new Set(['text_override', ''])

/** The owner's own words as they are now, laid over the release's texts in this process. */
export interface FollowedTexts {
  /** Calls `then` whenever some have come, gone or changed. */
  readonly onChange: (then: () => void) => void
  readonly close: () => Promise<void>
}

/** Takes the owner's words up, and again whenever they change: at once, in every process. Where they cannot be read the last ones stay. */
export async function followTexts(
  ctx: Pick<Ctx, 'db' | 'log'>,
  databaseUrl: string,
): Promise<FollowedTexts> {
  const heard: (() => void)[] = []
  const closing = new AbortController()
  let held = '[]'
  let isAsked = false
  let working = Promise.resolve()

  async function take(): Promise<void> {
    const texts = await listOverrides(ctx.db)
    const read = JSON.stringify(texts)
    if (read === held) return
    replaceTexts(texts)
    held = read
    for (const then of heard) then()
  }

  async function takeInTheEnd(): Promise<void> {
    while (!closing.signal.aborted)
      try {
        return await take()
      } catch (error) {
        ctx.log.warn('own texts not read, the last ones stay', { error })
        await sleep(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
  }

  /** What is asked for while it is being read is read once more. */
  function ask(): void {
    if (isAsked) return
    isAsked = true
    working = working.then(() => {
      isAsked = false
      return takeInTheEnd()
    })
  }

  const listener = await listen(
    databaseUrl,
    'catalogue_changed',
    (table) => {
      if (TABLES.has(table)) ask()
    },
    ctx.log,
  )
  ask()
  await working
  return {
    onChange: (then) => void heard.push(then),
    async close() {
      closing.abort()
      await listener.close()
      await working
    },
  }
}
