import { z } from 'zod'
import {
  removeService,
  saveService,
  tryService,
  type EnteredSettings,
} from '#features/office/payment-service/flows.ts'
import { listShown } from '#features/office/payment-service/queries.ts'
import { operatorCall } from '../call.ts'
import { moneyTexts } from '../money-texts.ts'
import { moment } from './shapes.ts'
import { waits } from './money.ts'

const VALUE_MAX = 2_000
const SETTINGS_MAX = 20
const service = z.string().regex(/^[a-z0-9-]{1,40}$/)
const answer = z.enum(['good', 'refused', 'unknown'])
const mode = z.enum(['live', 'test']).nullable()
const version = z.int().min(0)
/** A value that is left out, or empty, stays as it is. Nothing of it is ever answered. */
const values = z
  .record(
    z.string().max(60),
    z
      .string()
      .max(VALUE_MAX)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
  )
  .refine((given) => Object.keys(given).length <= SETTINGS_MAX)
/** As the service itself names it; null where it does not tell, or these settings may not ask. */
const account = z.object({ id: z.string(), name: z.string().nullable() }).nullable()
const tried = z.object({
  answer,
  /** In the service's own words. */
  why: z.string().nullable(),
  account,
})
const EXAMPLE = {
  service: 'stripe',
  version: 0,
  values: { STRIPE_SECRET_KEY: 'rk_live_0000000000000000' },
}
const SEALED =
  'What is entered is sealed under a key of its own and never shown again. Where the environment gives a service’s settings they hold, and nothing is entered; addresses of services come from the environment alone.'

const entered = ({
  service: code,
  ...given
}: {
  readonly service: string
  readonly values: Readonly<Record<string, string>>
  readonly version: number
}): EnteredSettings => ({ code, ...given })

const moneyServices = operatorCall({
  path: 'console/money/services',
  summary: 'Settings of payment services: where they come from, and what of them may be seen',
  body: z.object({}),
  data: z.array(
    z.object({
      service: z.string(),
      /** `unreadable`: sealed with another key than the shop has; `address`: the environment does not say where it is called. */
      source: z.enum(['environment', 'entered', 'unreadable', 'address', 'none']),
      /** What the environment has yet to say. */
      lacking: z.array(z.string()),
      mode,
      settings: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['secret', 'id', 'choice']),
          options: z.array(z.string()),
          is_needed: z.boolean(),
          is_set: z.boolean(),
          /** A choice, or the last characters of an id; null of a secret. */
          shown: z.string().nullable(),
        }),
      ),
      version,
      tried: answer.nullable(),
      account,
      set_by: z.string().nullable(),
      set: moment.nullable(),
    }),
  ),
  example: {},
  async answer({ ctx, services }) {
    const shown = await listShown(ctx.db, ctx.keys, services.paymentEnvironment)
    return shown.map(({ code, settings, lacking, setBy, setAt, ...rest }) => ({
      ...rest,
      lacking: [...lacking],
      service: code,
      settings: settings.map(({ isNeeded, isSet, options, ...setting }) => ({
        ...setting,
        options: [...options],
        is_needed: isNeeded,
        is_set: isSet,
      })),
      set_by: setBy,
      set: setAt?.toISOString() ?? null,
    }))
  },
})

const moneyServicesTry = operatorCall({
  path: 'console/money/services/try',
  summary: 'Try settings with their service by a call that only reads, before anything is kept',
  description: `${SEALED} With nothing entered what is kept is tried.`,
  body: z.strictObject({ service, version, values }),
  data: z.object({
    ...tried.shape,
    changed: z.array(z.string()),
    mode_before: mode,
    mode,
    account_before: account,
    /** Money goes to another account than now, or may do, as one of the two is not told. */
    may_be_other: z.boolean(),
    /** Payments begun with what holds now; counted up to 1,000. */
    open: z.number(),
    /** In the operator’s language. */
    open_sums: z.array(
      z.object({ amount_minor: z.string(), currency: z.string(), text: z.string() }),
    ),
    needs_second_person: z.boolean(),
  }),
  example: EXAMPLE,
  async answer({ ctx, services, language }, given) {
    const money = await moneyTexts(ctx.db, language)
    const effect = await tryService(ctx, services.paymentEnvironment, entered(given))
    return {
      ...effect.tried,
      changed: [...effect.changed],
      mode_before: effect.modeBefore,
      mode: effect.mode,
      account_before: effect.accounts.before,
      may_be_other: effect.mayBeOther,
      open: effect.open.count,
      open_sums: effect.open.sums.map((sum) => ({
        amount_minor: sum.minor.toString(),
        currency: sum.currency,
        text: money(sum),
      })),
      needs_second_person: effect.needsAnother,
    }
  },
})

const moneyServicesSave = operatorCall({
  path: 'console/money/services/save',
  summary: 'Keep settings of a payment service, which every process takes up within five seconds',
  description: `${SEALED} They are tried first: what the service definitely refuses is kept only with \`although_refused\`, and what may be another account’s while payments are open only with \`although_open\`. Those payments are asked about with the old settings until they are over. With \`account\`, the id that was shown, nothing is kept where the settings answer for another account. It waits wherever somebody else could approve it.`,
  body: z.strictObject({
    service,
    version,
    values,
    although_refused: z.boolean().default(false),
    although_open: z.boolean().default(false),
    account: z.string().max(100).nullable().optional(),
  }),
  data: z.object({ ...tried.shape, ...waits.shape }),
  example: EXAMPLE,
  async answer({ ctx, services }, given) {
    const { although_refused: isAlthoughRefused, although_open: isAlthoughOpen, ...rest } = given
    const { account: shown, ...settings } = rest
    const saved = await saveService(ctx, services.paymentEnvironment, {
      ...entered(settings),
      isAlthoughRefused,
      isAlthoughOpen,
      ...(shown === undefined ? {} : { account: shown }),
    })
    return { ...saved.tried, waits_for_approval: saved.waits }
  },
})

const moneyServicesRemove = operatorCall({
  path: 'console/money/services/remove',
  summary: 'Take away what was entered for a payment service: it is not offered any more',
  description:
    'Refunds, notices and disputes wait until its settings are back. While payments are open it takes `although_open`. It waits wherever somebody else could approve it.',
  body: z.strictObject({ service, version, although_open: z.boolean().default(false) }),
  data: waits,
  example: { service: 'stripe', version: 1 },
  answer: async ({ ctx, services }, given) => ({
    waits_for_approval: await removeService(ctx, services.paymentEnvironment, {
      code: given.service,
      version: given.version,
      isAlthoughOpen: given.although_open,
    }),
  }),
})

export const MONEY_SERVICES_CALLS = [
  moneyServices,
  moneyServicesTry,
  moneyServicesSave,
  moneyServicesRemove,
] as const
