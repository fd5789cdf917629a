import { z } from 'zod'
import { refusal } from '#platform/refusal.ts'
import { secret, type Secret } from '#platform/secret.ts'
import { isInsideLiteral } from '../../supply/wire/outside.ts'
import { paymentService } from '../service.ts'
import type { HookPaymentOptions } from './hook.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
const PAGES_MOST = 10

/** Whether it may be on this machine is said by another setting, and looked at when it is opened. */
function isPlace(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (LOOPBACK.has(url.hostname)) return url.protocol === 'http:' || url.protocol === 'https:'
  return url.protocol === 'https:' && !isInsideLiteral(url.hostname)
}

const isOrigin = (text: string) => isPlace(text) && URL.parse(text)?.origin === text

/** The owner's own way to be paid, by a protocol of the shop's. */
export const hook = paymentService({
  code: 'payment-hook',
  settings: {
    PAYMENT_HOOK_URL: z
      .string()
      .max(500)
      .refine(isPlace, 'must be an https address outside your own network'),
    PAYMENT_HOOK_SECRET: z
      .string()
      .min(32, 'must be at least 32 characters long')
      .max(200)
      .transform(secret),
    PAYMENT_HOOK_PAGES: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine(
        (pages) => pages.length <= PAGES_MOST && pages.every(isOrigin),
        'must be up to 10 origins like https://pay.example, separated by commas',
      )
      .optional(),
    PAYMENT_HOOK_LOOPBACK: z
      .enum(['off', 'allow'], { error: 'must be off or allow' })
      .default('off'),
  },
  apiUrl: 'PAYMENT_HOOK_URL',
  environmentOnly: ['PAYMENT_HOOK_PAGES', 'PAYMENT_HOOK_LOOPBACK'],
  origins: [],
  pages: 'PAYMENT_HOOK_PAGES',
  methods: [
    {
      code: 'payment-hook',
      group: 'local',
      icon: 'wallet',
      minUsdMinor: 1n,
      maxUsdMinor: 99_999_999n,
    },
  ],
  tryOut: async (settings, now) => {
    const { tryHookSettings } = await import('./try-out.ts')
    return tryHookSettings(await optionsOf(settings, now))
  },
  open: async (settings, now) => {
    const { openHookPayments } = await import('./hook.ts')
    return openHookPayments(await optionsOf(settings, now))
  },
})

async function optionsOf(
  given: {
    readonly PAYMENT_HOOK_URL: string
    readonly PAYMENT_HOOK_SECRET: Secret
    readonly PAYMENT_HOOK_PAGES?: readonly string[] | undefined
    readonly PAYMENT_HOOK_LOOPBACK: 'off' | 'allow'
  },
  now: () => Date,
): Promise<HookPaymentOptions> {
  const isLoopbackAllowed = given.PAYMENT_HOOK_LOOPBACK === 'allow'
  const url = new URL(given.PAYMENT_HOOK_URL)
  const pages = [url.origin, ...(given.PAYMENT_HOOK_PAGES ?? [])]
  if (!isLoopbackAllowed && pages.some((page) => LOOPBACK.has(new URL(page).hostname)))
    throw refusal(
      'PAYMENT_HOOK_URL or PAYMENT_HOOK_PAGES is on this machine, which only PAYMENT_HOOK_LOOPBACK=allow lets it be, for development.',
    )
  const { openHookClient } = await import('../../supply/hook/client.ts')
  const { HOOK_PAYMENT_TIMEOUT_MS } = await import('./api.ts')
  return {
    url: url.href,
    secret: given.PAYMENT_HOOK_SECRET,
    pages,
    client: openHookClient(HOOK_PAYMENT_TIMEOUT_MS, isLoopbackAllowed),
    now,
  }
}
