import { z } from 'zod'
import { refusal } from '#platform/refusal.ts'
import { secret } from '#platform/secret.ts'
import { supplyService } from '../service.ts'
import { isInsideLiteral } from '../wire/outside.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Of an endpoint; whether it may be on this machine is said by another setting, and looked at when it is opened. */
const endpoint = z.string().refine((text) => {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.hash !== '') return false
  if (LOOPBACK.has(url.hostname)) return url.protocol === 'http:' || url.protocol === 'https:'
  return url.protocol === 'https:' && !isInsideLiteral(url.hostname)
}, 'must be an https address outside your own network')

/** The owner's own service, by a protocol of the shop's. */
export const hook = supplyService({
  code: 'hook',
  settings: {
    SUPPLY_HOOK_URL: endpoint,
    SUPPLY_HOOK_SECRET: z
      .string()
      .min(32, 'must be at least 32 characters long')
      .max(200)
      .transform(secret),
    SUPPLY_HOOK_LOOPBACK: z
      .enum(['off', 'allow'], { error: 'must be off or allow' })
      .default('off'),
    SUPPLY_HOOK_TOKEN: z.enum(['off', 'fresh'], { error: 'must be off or fresh' }).default('off'),
  },
  apiUrl: 'SUPPLY_HOOK_URL',
  environmentOnly: ['SUPPLY_HOOK_LOOPBACK'],
  plain: { SUPPLY_HOOK_TOKEN: ['off', 'fresh'] },
  account: 'SUPPLY_HOOK_URL',
  sandbox: (origin, shared) => ({
    SUPPLY_HOOK_URL: `${origin}/supply`,
    SUPPLY_HOOK_SECRET: shared,
    SUPPLY_HOOK_LOOPBACK: 'allow',
  }),
  open: async (settings, now) => {
    if (
      LOOPBACK.has(new URL(settings.SUPPLY_HOOK_URL).hostname) &&
      settings.SUPPLY_HOOK_LOOPBACK === 'off'
    )
      throw refusal(
        'SUPPLY_HOOK_URL is on this machine, which only SUPPLY_HOOK_LOOPBACK=allow lets it be, for development.',
      )
    const { createHookSupplier, HOOK_TIMEOUT_MS } = await import('./hook.ts')
    const { openHookClient } = await import('./client.ts')
    return createHookSupplier({
      url: settings.SUPPLY_HOOK_URL,
      secret: settings.SUPPLY_HOOK_SECRET,
      client: openHookClient(HOOK_TIMEOUT_MS, settings.SUPPLY_HOOK_LOOPBACK === 'allow'),
      now,
      checksFirst: settings.SUPPLY_HOOK_TOKEN === 'fresh',
    })
  },
})
