import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { usdMinorOf } from '#features/goods/currency/rules.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  countUses,
  findListed,
  readGateView,
  type GateView,
  type OrderLine,
  type Subject,
} from '../queries.ts'
import {
  judge,
  nameKeys,
  plainAccount,
  type GateFacts,
  type GateSettings,
  type Judged,
} from '../rules.ts'
import { gateSetting } from '../schema.ts'
import { lookUpScreening } from './screening.ts'

const PURPOSE = 'delivery use'
const HOUR_MS = 3_600_000
/** How long a process goes by what it has read of the setting. */
const SETTING_MS = 5_000

/** What an order wants to deliver to one of whom limits count. */
interface Wanted extends Subject {
  readonly units: number
  readonly usdMinor: bigint | null
}

const sumOf = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || other === null ? null : one + other

/**
 * The gate before what cannot be undone: whether a paid order, locked, may be delivered now. An order is looked at once, and again only
 * when it is for somebody else by now. What does not pass is held for a closer look from here on; what is refused, until its price is asked back.
 */
export async function mayDeliver(tx: Tx, ctx: Ctx, order: LockedOrder): Promise<boolean> {
  return (await goesOn(tx, ctx, order, await judgeOrder(tx, ctx, order))) === 'yes'
}

/** The same for whoever can come again in seconds: `wait` while a service is being asked about the shopper, and nothing is held for that. */
export async function mayDeliverSoon(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
): Promise<'yes' | 'no' | 'wait'> {
  return goesOn(tx, ctx, order, await judgeOrder(tx, ctx, order, 'can_wait'))
}

/**
 * The same for keys of the shop's own: looked at where the owner wants it. Whoever was refused, by a rule or a person, gets none of them in
 * any case, whatever has become of the money since.
 */
export async function mayHandOver(tx: Tx, ctx: Ctx, order: LockedOrder): Promise<boolean> {
  if (await ownKeysAreLookedAt({ ...ctx, db: tx })) return mayDeliver(tx, ctx, order)
  const check = await tx
    .selectFrom('delivery_check')
    .select(['verdict', 'decision'])
    .where('order_id', '=', order.id)
    .executeTakeFirst()
  if (!check || recall(check) !== 'refuse') return true
  const look = { verdict: 'refuse', reasons: [], isNew: false, isQuiet: false } as const
  return (await goesOn(tx, ctx, order, look)) === 'yes'
}

async function goesOn(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  { verdict, isNew, isQuiet }: Look,
): Promise<'yes' | 'no' | 'wait'> {
  if (verdict === 'pass') return 'yes'
  if (verdict === 'wait') return 'wait'
  await changeOrder(
    tx,
    ctx,
    order,
    { hold: 'risk' },
    // Who is refused hears of the refund.
    { reason: 'risk', isToTell: verdict === 'hold' && isNew && !isQuiet },
  )
  return 'no'
}

export interface Look<Verdict = Judged['verdict'] | 'wait'> extends Omit<Judged, 'verdict'> {
  readonly verdict: Verdict
  readonly isNew: boolean
  /** It is held for nothing but a service that is being asked, and goes on by itself in a moment. */
  readonly isQuiet: boolean
}

/** What the look at an order comes to, written down where there was anything to look for. Holds nothing by itself. */
export async function judgeOrder(
  tx: Tx,
  ctx: Ctx,
  order: Pick<LockedOrder, 'id' | 'accountId' | 'currency'>,
): Promise<Look<Judged['verdict']>>
export async function judgeOrder(
  tx: Tx,
  ctx: Ctx,
  order: Pick<LockedOrder, 'id' | 'accountId' | 'currency'>,
  way: 'can_wait',
): Promise<Look>
export async function judgeOrder(
  tx: Tx,
  ctx: Ctx,
  order: Pick<LockedOrder, 'id' | 'accountId' | 'currency'>,
  way?: 'can_wait',
): Promise<Look> {
  const view = await readGateView(tx, order.id)
  const subject = subjectOf(view)
  if (view.check?.subject === subject.toString('hex'))
    return { verdict: recall(view.check), reasons: [], isNew: false, isQuiet: false }
  const settings = await readSetting(tx, gateSetting)
  const { facts, wanted } = await gather(tx, ctx, order, { view, settings })
  const judged = judge(facts)
  const isQuiet = facts.screening === 'wait' && judged.reasons.length === 1
  if (isQuiet && way === 'can_wait') return { ...judged, verdict: 'wait', isNew: true, isQuiet }
  const isLookedFor = wanted.length > 0 || view.isScreened || settings.screening
  if (isLookedFor || judged.verdict !== 'pass' || view.check)
    await write(tx, ctx, order.id, { judged, subject, wanted })
  return { ...judged, isNew: true, isQuiet }
}

/** What an earlier look, or a person since, has said. That its order is held no more is no such word: its money may have gone and come back. */
function recall({
  decision,
  verdict,
}: Pick<NonNullable<GateView['check']>, 'decision' | 'verdict'>): Judged['verdict'] {
  if (decision === 'released' || verdict === 'pass') return 'pass'
  return decision === 'refused' || verdict === 'refuse' ? 'refuse' : 'hold'
}

/** A person lets a locked order go on that is held for a closer look, or that a person refused before; what a rule refused stays so. */
export async function noteLetGo(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'now'>,
  orderId: string,
): Promise<void> {
  await tx
    .updateTable('delivery_check')
    .set({ decision: 'released', decided_by: ctx.actor, decided_at: ctx.now() })
    .where('order_id', '=', orderId)
    .where('verdict', '=', 'hold')
    .where(({ or, eb }) => or([eb('decision', 'is', null), eb('decision', '=', 'refused')]))
    .execute()
}

/** A hash of whom an order is for: the accounts of its lines. */
function subjectOf({ lines }: GateView): Buffer {
  const told = lines.map(({ item, fields }) => [item, Object.entries(fields).toSorted()])
  return createHash('sha256').update(JSON.stringify(told)).digest()
}

async function gather(
  tx: Tx,
  ctx: Ctx,
  order: Pick<LockedOrder, 'id' | 'accountId' | 'currency'>,
  { view, settings }: { readonly view: GateView; readonly settings: GateSettings },
): Promise<{ readonly facts: GateFacts; readonly wanted: readonly Wanted[] }> {
  const listed = view.isScreened
    ? await findListed(tx, view.names.flatMap(nameKeys), view.email)
    : { name: false, email: false }
  const wanted = await wantedOf(tx, ctx, order, { view, settings })
  return {
    facts: {
      lines: view.lines,
      country: view.country,
      provenAge: view.provenAge,
      isNameListed: listed.name,
      isEmailListed: listed.email,
      screening: settings.screening
        ? await lookUpScreening(tx, ctx, order.accountId, settings.screeningHours)
        : null,
      uses: await usesOf(tx, ctx, order.id, { wanted, settings }),
    },
    wanted,
  }
}

/** Only what a limit counts is worth its hash. */
async function wantedOf(
  tx: Tx,
  ctx: Ctx,
  { accountId, currency }: Pick<LockedOrder, 'accountId' | 'currency'>,
  { view, settings: { limits } }: { readonly view: GateView; readonly settings: GateSettings },
): Promise<readonly Wanted[]> {
  const counted = new Set(limits.map(({ per }) => per))
  if (counted.size === 0 || view.lines.length === 0) return []
  const currencies = currency === 'USD' ? [] : await listCurrencies(tx)
  const wanted = new Map<string, Wanted>()
  const add = (per: Wanted['per'], name: string, { quantity, price }: OrderLine) => {
    if (!counted.has(per)) return
    const hash = ctx.keys.mac(PURPOSE, `${per} ${name}`)
    const key = `${per} ${hash.toString('hex')}`
    const before = wanted.get(key)
    const money = { minor: BigInt(price) * BigInt(quantity), currency }
    wanted.set(key, {
      per,
      hash,
      units: (before?.units ?? 0) + quantity,
      usdMinor: sumOf(before ? before.usdMinor : 0n, usdMinorOf(money, currencies)),
    })
  }
  for (const line of view.lines) {
    add('shopper', accountId, line)
    const values = Object.entries(line.fields)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, value]) => value)
    if (line.delivery !== 'direct_charge' || values.length === 0) continue
    const account = plainAccount(values)
    // A number is the same whichever operator it is recharged with; a player's id belongs to its game.
    if (line.isRecharge) add('phone', account, line)
    else add('player', `${line.brand} ${account}`, line)
  }
  return [...wanted.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, each]) => each)
}

async function usesOf(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  { wanted, settings }: { readonly wanted: readonly Wanted[]; readonly settings: GateSettings },
): Promise<GateFacts['uses']> {
  if (wanted.length === 0) return []
  // Two orders for one of them are counted one after the other.
  for (const { hash } of wanted)
    await sql`select pg_advisory_xact_lock(${hash.readBigInt64BE(0).toString()}::bigint)`.execute(
      tx,
    )
  const asked = settings.limits.flatMap((limit) =>
    wanted
      .filter(({ per }) => per === limit.per)
      .map((use) => ({ limit, use, since: new Date(ctx.now().getTime() - limit.hours * HOUR_MS) })),
  )
  const before = await countUses(
    tx,
    orderId,
    asked.map(({ use, since }) => ({ per: use.per, hash: use.hash, since })),
  )
  return asked.map(({ limit, use }, index) => ({
    limit,
    use: {
      per: use.per,
      units: use.units + (before[index]?.units ?? 0),
      usdMinor: sumOf(use.usdMinor, before[index]?.usdMinor ?? 0n),
    },
  }))
}

async function write(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  {
    judged,
    subject,
    wanted,
  }: { readonly judged: Judged; readonly subject: Buffer; readonly wanted: readonly Wanted[] },
): Promise<void> {
  const check = {
    subject,
    verdict: judged.verdict,
    reasons: [...judged.reasons],
    checked_at: ctx.now(),
    decision: null,
    decided_by: null,
    decided_at: null,
    note: null,
  }
  await tx
    .insertInto('delivery_check')
    .values({ order_id: orderId, ...check })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet(check))
    .execute()
  if (wanted.length === 0) return
  await tx
    .insertInto('delivery_use')
    .values(
      wanted.map(({ per, hash, units, usdMinor }) => ({
        order_id: orderId,
        kind: per,
        subject: hash,
        units,
        usd_minor: usdMinor ?? 0n,
        at: ctx.now(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const read = new WeakMap<Db, { readonly at: number; readonly isOn: boolean }>()

/** Whether the shop's own keys pass the gate as well; read anew every few seconds. */
export async function ownKeysAreLookedAt(ctx: Pick<Ctx, 'db' | 'now'>): Promise<boolean> {
  const now = ctx.now().getTime()
  const last = read.get(ctx.db)
  if (last && Math.abs(now - last.at) < SETTING_MS) return last.isOn
  const { ownKeys } = await readSetting(ctx.db, gateSetting)
  read.set(ctx.db, { at: now, isOn: ownKeys })
  return ownKeys
}
