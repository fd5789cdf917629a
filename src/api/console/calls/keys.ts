import { z } from 'zod'
import { moveKeys, seeKey, SELECTED_MOST, type KeyMove } from '#features/buying/vault/commands.ts'
import { findByCode } from '#features/buying/vault/flows.ts'
import { listKeys, type ListedKey } from '#features/buying/vault/queries.ts'
import { KEY_STATUSES } from '#features/buying/vault/rules.ts'
import { revealedShape } from '#features/buying/vault/schema.ts'
import { revealedView } from '#features/buying/vault/views.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall, type OperatorCaller } from '../call.ts'
import { itemCode, rowId } from './key-shapes.ts'
import { moment } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const REASON_MAX = 300
const CODE_MAX = 4_000
const limit = z.coerce.number().int().min(1).max(PAGE_MAX).optional()
const count = z.int()
const day = z
  .string()
  .nullable()
  .meta({ examples: ['2027-06-30'] })
const reason = z.string().trim().min(3).max(REASON_MAX)

const keyShape = z.object({
  id: rowId,
  item: itemCode,
  batch: rowId,
  ends_in: z.string().meta({ description: 'Its last characters alone', examples: ['7KX4'] }),
  status: z.enum(KEY_STATUSES),
  expires_on: day,
  order: z.string().nullable(),
  unit: z.string().nullable(),
  reserved: moment.nullable(),
  delivered: moment.nullable(),
  seen: moment.nullable().meta({ description: 'When its buyer first looked at it' }),
  is_reported: z.boolean(),
})

const keyView = (key: ListedKey): z.input<typeof keyShape> => ({
  id: key.id,
  item: key.itemCode,
  batch: key.batch,
  ends_in: key.lastFour,
  status: key.status,
  expires_on: key.expiresOn,
  order: key.orderNumber,
  unit: key.unit,
  reserved: key.claimedAt?.toISOString() ?? null,
  delivered: key.deliveredAt?.toISOString() ?? null,
  seen: key.revealedAt?.toISOString() ?? null,
  is_reported: key.isReported,
})

const keysList = operatorCall({
  path: 'console/keys/list',
  summary: 'Keys of a batch in one state, masked, and who got them',
  body: z.object({
    batch: rowId,
    status: z.enum(KEY_STATUSES),
    cursor: rowId.optional(),
    limit,
  }),
  data: z.object({ keys: z.array(keyShape), next: rowId.nullable() }),
  example: { batch: '019abc00-0000-7000-8000-000000000001', status: 'delivered' },
  async answer({ ctx }, { batch, status, cursor: after, limit: wanted }) {
    const size = wanted ?? PAGE
    const query = { batch, status, after: after ?? null, limit: size + 1 }
    const keys = await listKeys(ctx.db, query)
    const { shown, last } = pageOf(keys, size)
    return { keys: shown.map(keyView), next: last?.id ?? null }
  },
})

const movedBody = z.strictObject({
  batch: rowId.optional(),
  keys: z.array(rowId).min(1).max(SELECTED_MOST).optional(),
  reason,
})
const movedData = z.object({ moved: count, is_done: z.boolean() })
const MOVED_EXAMPLE = {
  batch: '019abc00-0000-7000-8000-000000000001',
  reason: 'Three of it were used before they were sold.',
}
const AGAIN = 'Of a batch or of up to 500 keys. Where `is_done` is false, more is left: call again.'

/** What is moved is named in one way. */
async function move(
  { ctx }: OperatorCaller,
  how: KeyMove,
  { batch, keys, reason: why }: z.output<typeof movedBody>,
): Promise<z.input<typeof movedData>> {
  if ((batch === undefined) === (keys === undefined)) throw fieldError('batch', 'required')
  const selection = batch === undefined ? { keys: keys ?? [] } : { batch }
  const { moved, isDone } = await moveKeys(ctx, how, selection, why)
  return { moved, is_done: isDone }
}

const keysQuarantine = operatorCall({
  path: 'console/keys/quarantine',
  summary: 'Keep free keys back until somebody puts them on sale again',
  description: AGAIN,
  body: movedBody,
  data: movedData,
  example: MOVED_EXAMPLE,
  answer: (caller, body) => move(caller, 'quarantine', body),
})

const keysRelease = operatorCall({
  path: 'console/keys/release',
  summary: 'Put keys that were kept back on sale again',
  description: AGAIN,
  body: movedBody,
  data: movedData,
  example: MOVED_EXAMPLE,
  answer: (caller, body) => move(caller, 'release', body),
})

const keysVoid = operatorCall({
  path: 'console/keys/void',
  summary: 'Take keys off the shelf for good',
  description: `${AGAIN} Of a batch those that are reserved go as well: their orders get other keys.`,
  body: movedBody,
  data: movedData,
  example: MOVED_EXAMPLE,
  answer: (caller, body) => move(caller, 'void', body),
})

const keysFind = operatorCall({
  path: 'console/keys/find',
  summary: 'Find a key, and who got it, by what it says',
  description: 'By a keyed hash of the code, which is kept nowhere.',
  body: z.strictObject({ code: z.string().trim().min(3).max(CODE_MAX) }),
  data: z.array(keyShape),
  example: { code: 'ABCD-EFGH-1234' },
  answer: async ({ ctx }, { code }) => (await findByCode(ctx, code)).map(keyView),
})

const keysSee = operatorCall({
  path: 'console/keys/see',
  summary: 'See what one key says',
  description: 'Written to the audit and told to owners; twenty a day for each operator.',
  body: z.strictObject({ key: rowId, reason }),
  data: revealedShape,
  example: {
    key: '019abc00-0000-7000-8000-000000000002',
    reason: 'Claim at the supplier, case C-2291.',
  },
  async answer({ ctx, t, visitor, services, signedIn }, { key, reason: why }) {
    if (!signedIn) throw new AppError('forbidden')
    const looked = { key, reason: why, network: visitor.network }
    return revealedView(t, key, await seeKey(ctx, services.vault, looked))
  },
})

export const KEY_CALLS = [
  keysList,
  keysQuarantine,
  keysRelease,
  keysVoid,
  keysFind,
  keysSee,
] as const
