import { z } from 'zod'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { ORDER_NOTICES, type NoticeContent } from './rules.ts'

const nothing = z.object({})
const text = z.string().max(200)
const order = z.object({
  order: z.string().regex(PUBLIC_ID),
  number: z.string().regex(/^[0-9]{13}$/),
  product: text,
  name: text,
  variant: text,
  amount: z
    .object({ minor: z.string().regex(/^\d{1,38}$/), currency: z.string().regex(/^[A-Z]{3}$/) })
    .nullable(),
})
const factor = z.enum(['passkey', 'authenticator', 'recovery_codes'])

const contentShape = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['welcome', 'password_changed', 'email_changed', 'cancellation_undone']),
    params: nothing,
  }),
  z.object({ kind: z.literal('new_device'), params: z.object({ browser: text, system: text }) }),
  z.object({
    kind: z.enum(['identity_linked', 'identity_unlinked']),
    params: z.object({ platform: text }),
  }),
  z.object({ kind: z.enum(['factor_added', 'factor_removed']), params: z.object({ factor }) }),
  z.object({
    kind: z.literal('price_drop'),
    params: z.object({ product: text, name: text, percent: z.int().min(1).max(100) }),
  }),
  z.object({ kind: z.enum(ORDER_NOTICES), params: order }),
])

/** A stored notice's kind and parameters; null for a kind this release does not know (written by a newer one). */
export function readNoticeContent(kind: string, params: unknown): NoticeContent | null {
  const read = contentShape.safeParse({ kind, params })
  return read.success ? read.data : null
}

/** What a list of notices shows of each (`notice/index`). */
export const noticeShape = z
  .object({
    id: z.string().meta({ examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
    kind: z
      .string()
      .meta({ description: 'What happened, for programs', examples: ['password_changed'] }),
    title: z
      .string()
      .meta({ description: "In the caller's language", examples: ['Password changed'] }),
    text: z.string(),
    path: z.string().meta({
      description: 'Page on this host that it leads to, without language prefix',
      examples: ['/userDetail'],
    }),
    created_at: z.iso.datetime().meta({ examples: ['2026-11-20T10:00:00.000Z'] }),
    time_text: z.string().meta({ examples: ['20 November 2026'] }),
    is_read: z.boolean(),
  })
  .meta({ id: 'Notice', description: 'What the shop tells a shopper in the shop itself' })
export type NoticeView = z.infer<typeof noticeShape>
