import { z } from 'zod'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { ALERT_LABELS, MAIL_KINDS, type MailParams } from './rules.ts'

const LONGEST = 200
const GOODS_LONGEST = 500

/** Line ends and other control characters have no place in a value that is shown in one line. */
const lineUpTo = (longest: number) =>
  z
    .string()
    .max(longest)
    .transform((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())
const line = lineUpTo(LONGEST)

const GOODS_MAX = 50

const order = z.object({
  id: z.string().regex(PUBLIC_ID),
  number: z.string().regex(/^[0-9]{13}$/),
  goods: z.array(lineUpTo(GOODS_LONGEST)).max(GOODS_MAX),
  lines: z
    .array(
      z.object({
        name: line,
        detail: lineUpTo(GOODS_LONGEST),
        amount: line,
        picture: z.string().max(LONGEST).nullable(),
      }),
    )
    .max(GOODS_MAX)
    .optional(),
  fee: line.optional(),
  total: line,
  amount: line,
  variant: line,
  minutes: z.object({ count: z.int().min(1), isMeasured: z.boolean() }).nullable(),
})

const alert = z.object({
  state: z.enum(['begun', 'over', 'digest']),
  matters: z
    .array(
      z.object({
        label: z.enum(ALERT_LABELS),
        count: z.int().min(1),
        // A mail of the release before has none.
        added: z.int().min(0).default(0),
        since: z.iso.datetime(),
      }),
    )
    .max(50),
})

const report = z.object({
  days: z.string(),
  compared: z.string().nullable(),
  lines: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      before: z.string().nullable(),
      change: z.string().nullable(),
    }),
  ),
  link: z.url(),
})

const seal = z.object({ number: z.int().min(1), hash: line, at: z.iso.datetime() })

/** All that a mail can tell: what stood here no more would be left out of it without a word. */
const PARAMS = {
  browser: line,
  system: line,
  network: line,
  service: line,
  due: z.iso.datetime(),
  factor: z.enum(['passkey', 'totp']),
  name: line,
  order,
  alert,
  report,
  seal,
  asker: line,
} satisfies Record<keyof MailParams, z.ZodType>

export const mailParams = z.object(PARAMS).partial()

/** A row of outgoing_mail that may be sent. */
export const outgoingMail = z.object({
  id: z.uuid(),
  kind: z.enum(MAIL_KINDS),
  accountId: z.uuid().nullable(),
  recipient: z.string().nullable(),
  language: z.enum(LANGUAGE_CODES),
  params: mailParams,
  createdAt: z.date(),
  sentAt: z.date().nullable(),
})
export type OutgoingMail = z.infer<typeof outgoingMail>

/** Payload of the job `send_mail`; a job put on the queue by an earlier version has one mail. */
export const sendMailPayload = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1) }),
  z.strictObject({ id: z.uuid() }).transform(({ id }) => ({ ids: [id] })),
])
