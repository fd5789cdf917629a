import { z } from 'zod'
import {
  removeSupplier,
  saveSupplier,
  trySupplierSettings,
} from '#features/office/supplier-service/flows.ts'
import { listShown } from '#features/office/supplier-service/queries.ts'
import { askBalance } from '#features/office/supplier/commands.ts'
import {
  listBrandPaces,
  listSupplierStates,
  needsOf,
  type SupplierState,
} from '#features/office/supplier/queries.ts'
import { breakerOf, healthOf } from '#features/office/supplier/rules.ts'
import { resumeSupplier, switchSupplier } from '#features/supply/purchase/commands.ts'
import { TROUBLE_FROM } from '#features/supply/routing/rules.ts'
import { AppError } from '#kernel/error.ts'
import { operatorCall, type OperatorCaller } from '../call.ts'
import { moneyTexts } from '../money-texts.ts'
import { waits } from './money.ts'
import { moment, nothing } from './shapes.ts'
import { money, supplier, written } from './supplier-shapes.ts'

const VALUE_MAX = 2_000
const SETTINGS_MAX = 20
const version = z.int().min(0)
const answer = z.enum(['good', 'refused', 'unknown'])
const mode = z.enum(['live', 'test']).nullable()
const values = z
  .record(
    z.string().max(60),
    z
      .string()
      .max(VALUE_MAX)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
  )
  .refine((given) => Object.keys(given).length <= SETTINGS_MAX)
const SEALED =
  'What is entered is sealed under a key of its own and never shown again. Where the environment gives a supplier’s settings they hold, and nothing is entered; addresses come from the environment alone.'
const EXAMPLE = {
  supplier: 'seagm',
  version: 0,
  values: { SEAGM_UID: '10001', SEAGM_SECRET: '0000000000000000' },
}

const pace = z.object({
  done: z.number(),
  failed: z.number(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
})
const paceOf = ({ done, failed, p50Ms, p95Ms }: SupplierState['day']) => ({
  done,
  failed,
  p50_ms: p50Ms,
  p95_ms: p95Ms,
})
const state = z.object({
  supplier: z.string(),
  health: z.enum(['healthy', 'slow', 'paused', 'refuses', 'stopped', 'off']),
  breaker: z.enum(['closed', 'open', 'half_open']),
  rests_until: moment.nullable(),
  /** The supplier’s own word for why it refuses the shop. */
  rests_code: z.string().nullable(),
  /** Counts go up to 1,000. */
  needs_person: z.number(),
  offers: z.number(),
  queued: z.number(),
  open: z.number(),
  doubts: z.number(),
  held: z.number(),
  cases: z.number(),
  differences: z.number(),
  invoices: z.number(),
  jumps: z.number(),
  /** Of the latest 2,000 purchases of 24 hours, and of the 24 before. */
  day: pace,
  before: pace,
  balances: z.array(
    z.object({
      available: money,
      hours: z.number().nullable(),
      is_low: z.boolean(),
      asked: moment,
    }),
  ),
  noticed: moment.nullable(),
  synced: moment.nullable(),
  compared: moment.nullable(),
})

function stateOf(each: SupplierState, now: Date): z.input<typeof state> {
  const { work } = each
  return {
    supplier: each.code,
    health: healthOf(each, now),
    breaker: breakerOf(each, now, TROUBLE_FROM),
    rests_until: each.restsUntil?.toISOString() ?? null,
    rests_code: each.restsCode,
    needs_person: needsOf(each),
    offers: each.offers,
    queued: each.queued,
    open: each.open,
    ...work,
    day: paceOf(each.day),
    before: paceOf(each.before),
    balances: each.balances.map(({ availableMinor, currency, hours, isLow, askedAt }) => ({
      available: written({ minor: availableMinor, currency }),
      hours,
      is_low: isLow,
      asked: askedAt.toISOString(),
    })),
    noticed: each.noticedAt?.toISOString() ?? null,
    synced: each.syncedAt?.toISOString() ?? null,
    compared: each.comparedAt?.toISOString() ?? null,
  }
}

const suppliersList = operatorCall({
  path: 'console/suppliers/list',
  summary:
    'How each supplier stands: health, pace, balance and what waits; first what needs a person',
  body: z.object({}),
  data: z.array(state),
  example: {},
  async answer({ ctx }) {
    const now = ctx.now()
    return (await listSupplierStates(ctx.db, now)).map((each) => stateOf(each, now))
  },
})

const suppliersOne = operatorCall({
  path: 'console/suppliers/one',
  summary: 'How one supplier stands, and how it goes by brand',
  body: z.strictObject({ supplier }),
  data: z.object({
    ...state.shape,
    brands: z.array(z.object({ brand: z.string(), name: z.string(), ...pace.shape })),
  }),
  example: { supplier: 'kinguin' },
  async answer({ ctx }, { supplier: code }) {
    const now = ctx.now()
    const [each] = await listSupplierStates(ctx.db, now, code)
    if (!each) throw new AppError('not_found')
    const brands = await listBrandPaces(ctx.db, now, code)
    return {
      ...stateOf(each, now),
      brands: brands.map((brand) => ({ brand: brand.brand, name: brand.name, ...paceOf(brand) })),
    }
  },
})

const suppliersSwitch = operatorCall({
  path: 'console/suppliers/switch',
  summary: 'Begin or end buying from a supplier; what waits for one that is ended goes to others',
  description:
    'What is under way there is still asked about. To stop for a while, and have what waits wait, stop selling from it.',
  body: z.strictObject({ supplier, is_on: z.boolean() }),
  data: nothing,
  example: { supplier: 'kinguin', is_on: false },
  async answer({ ctx }, { supplier: code, is_on: isOn }) {
    await switchSupplier(ctx, code, isOn ? 'on' : 'off')
    return {}
  },
})

const suppliersResume = operatorCall({
  path: 'console/suppliers/resume',
  summary: 'Let a supplier that rests go on at once',
  body: z.strictObject({ supplier }),
  data: nothing,
  example: { supplier: 'kinguin' },
  async answer({ ctx }, { supplier: code }) {
    await resumeSupplier(ctx, code)
    return {}
  },
})

const suppliersBalance = operatorCall({
  path: 'console/suppliers/balance',
  summary: 'Have the worker ask a supplier for its balance now',
  body: z.strictObject({ supplier }),
  data: nothing,
  example: { supplier: 'kinguin' },
  async answer({ ctx }, { supplier: code }) {
    await askBalance(ctx, code)
    return {}
  },
})

const suppliersSettings = operatorCall({
  path: 'console/suppliers/settings',
  summary: 'Settings of suppliers: where they come from, and what of them may be seen',
  body: z.object({}),
  data: z.array(
    z.object({
      supplier: z.string(),
      /** `own`: a demo’s sandbox. `address`: the environment lacks what it alone can say, named in `lacking`. */
      source: z.enum(['environment', 'entered', 'unreadable', 'own', 'address', 'none']),
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
      account: z.string().nullable(),
      set_by: z.string().nullable(),
      set: moment.nullable(),
    }),
  ),
  example: {},
  async answer({ ctx, services }) {
    const shown = await listShown(ctx.db, ctx.keys, services.supplying.environment)
    return shown.map(({ code, settings, lacking, setBy, setAt, ...rest }) => ({
      ...rest,
      supplier: code,
      lacking: [...lacking],
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

/** As the service that is tried answers; its account is what it calls its customer. */
const tried = z.object({
  answer,
  why: z.string().nullable(),
  /** `text` is in the operator’s language. */
  balances: z.array(z.object({ ...money.shape, text: z.string() })),
})
async function triedOf(
  { ctx, language }: Pick<OperatorCaller, 'ctx' | 'language'>,
  { answer: said, why, balances }: Awaited<ReturnType<typeof trySupplierSettings>>['tried'],
) {
  const text = await moneyTexts(ctx.db, language)
  return {
    answer: said,
    why,
    balances: balances.map((balance) => ({ ...written(balance), text: text(balance) })),
  }
}

const suppliersTry = operatorCall({
  path: 'console/suppliers/settings/try',
  summary: 'Try settings with their supplier by asking for the balance, before anything is kept',
  description: `${SEALED} With nothing entered what is kept is tried.`,
  body: z.strictObject({ supplier, version, values }),
  data: z.object({
    ...tried.shape,
    changed: z.array(z.string()),
    mode_before: mode,
    mode,
    /** What the supplier calls its customer; null where only a secret tells. */
    account: z.string().nullable(),
    account_before: z.string().nullable(),
    may_be_other: z.boolean(),
    /** Purchases that were begun with what holds now; up to 1,000. */
    open: z.number(),
    needs_second_person: z.boolean(),
  }),
  example: EXAMPLE,
  async answer(caller, { supplier: code, ...given }) {
    const { ctx, services } = caller
    const effect = await trySupplierSettings(ctx, services.supplying.environment, {
      code,
      ...given,
    })
    return {
      ...(await triedOf(caller, effect.tried)),
      changed: [...effect.changed],
      mode_before: effect.modeBefore,
      mode: effect.mode,
      account: effect.accounts.after,
      account_before: effect.accounts.before,
      may_be_other: effect.mayBeOther,
      open: effect.open,
      needs_second_person: effect.needsAnother,
    }
  },
})

const suppliersSave = operatorCall({
  path: 'console/suppliers/settings/save',
  summary: 'Keep settings of a supplier, which every process takes up within five seconds',
  description: `${SEALED} They are tried first: what the supplier definitely refuses is kept only with \`although_refused\`. A purchase is asked about where it was made: while some are under way, what is certainly another account’s is not kept at all, and what may be only with \`although_open\`, by which the caller says that it is the same. It waits wherever somebody else could approve it.`,
  body: z.strictObject({
    supplier,
    version,
    values,
    although_refused: z.boolean().default(false),
    although_open: z.boolean().default(false),
  }),
  data: z.object({ ...tried.shape, ...waits.shape }),
  example: EXAMPLE,
  async answer(caller, given) {
    const { ctx, services } = caller
    const {
      supplier: code,
      although_refused: isAlthoughRefused,
      although_open: isAlthoughOpen,
    } = given
    const saved = await saveSupplier(ctx, services.supplying.environment, {
      code,
      version: given.version,
      values: given.values,
      isAlthoughRefused,
      isAlthoughOpen,
    })
    return { ...(await triedOf(caller, saved.tried)), waits_for_approval: saved.waits }
  },
})

const suppliersRemove = operatorCall({
  path: 'console/suppliers/settings/remove',
  summary: 'Take away what was entered for a supplier: nothing more is bought there',
  description:
    'Not while purchases are under way, as nobody could be asked about them. It waits wherever somebody else could approve it.',
  body: z.strictObject({ supplier, version }),
  data: waits,
  example: { supplier: 'seagm', version: 1 },
  answer: async ({ ctx, services }, given) => ({
    waits_for_approval: await removeSupplier(ctx, services.supplying.environment, {
      code: given.supplier,
      version: given.version,
    }),
  }),
})

export const SUPPLIER_CALLS = [
  suppliersList,
  suppliersOne,
  suppliersSwitch,
  suppliersResume,
  suppliersBalance,
  suppliersSettings,
  suppliersTry,
  suppliersSave,
  suppliersRemove,
] as const
