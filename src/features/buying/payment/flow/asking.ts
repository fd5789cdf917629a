import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '#platform/ctx.ts'
import { applyFacts } from '../commands.ts'
import { getAttempt } from '../queries.ts'
import { isOpen } from '../rules.ts'
import { followTaken, getProvider, openSession, type PaymentServices } from './provider.ts'

const ASKED_EVERY_MS = 3_000

const WAITED_MS = 2_000

const REMEMBERED = 20_000

/** Asks a provider about an attempt while its payer waits and looks. */
export type AskAbout = (attemptId: string) => Promise<void>

/**
 * Asks at most once in three seconds about the same attempt, and keeps nobody waiting for longer than two: what comes later is seen
 * at the next look. Failures are left to the sweep.
 */
export function createAsking(ctx: Ctx, services: PaymentServices): AskAbout {
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED })
  return async (attemptId) => {
    const now = ctx.now().getTime()
    if (now - (askedAt.get(attemptId) ?? 0) < ASKED_EVERY_MS) return
    askedAt.set(attemptId, now)
    const asked = askNow(ctx, services, attemptId).catch((error: unknown) =>
      ctx.log.warn('a payment could not be asked about', { attempt: attemptId, error }),
    )
    await Promise.race([asked, sleep(WAITED_MS, undefined, { ref: false })])
  }
}

/** Unlike the sweep's question it counts as none, so that a payer who looks often does not put the next one off. */
async function askNow(ctx: Ctx, services: PaymentServices, attemptId: string): Promise<void> {
  const attempt = await getAttempt(ctx.db, attemptId)
  if (!isOpen(attempt.status)) return
  const provider = getProvider(services, attempt.provider)
  if (attempt.reference === null) {
    // Looking takes nothing.
    if (provider.takesAtOnce) await followTaken(ctx, provider, attempt)
    else await openSession(ctx, services, provider, attempt)
    return
  }
  const told = await provider.fetch(attempt.reference)
  const isNews =
    told.status !== attempt.status ||
    (told.captured?.minor ?? 0n) !== attempt.capturedMinor ||
    told.isDisputed
  if (isNews) await applyFacts(ctx, attempt, told)
}
