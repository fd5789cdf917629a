import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import type { Keys } from './keys.ts'
import type { Log } from './log.ts'
import { currentRequest, requestFlags } from './request-scope.ts'
import type { Tables } from './tables.ts'

/** An open transaction. Passing a `Db` where this is needed does not compile. */
export type Tx = Transaction<Tables>

/** Everything impure a feature may use; built once for each request, job, command or test. */
export interface Ctx {
  readonly db: Db
  /** The database's time. */
  readonly now: () => Date
  /** Time-ordered uuid (version 7): row identities. Never shown outside. */
  readonly newId: () => string
  /** That many random bytes. */
  readonly random: (bytes: number) => Uint8Array
  readonly keys: Keys
  readonly log: Log
  /** False where RATE_LIMITS=off: load tests from one address. */
  readonly isLimited: boolean
  /** Who acts, for the audit trail: `import:<name>`, `operator:<id>`, `account:<id>`, `visitor`, `system`. */
  readonly actor: string
  readonly requestId: string
  readonly locale: LanguageCode
  readonly currency: string
  /** Throws when this work was handed to somebody else meanwhile; otherwise it stays ours until the transaction ends. */
  readonly fence?: (tx: Tx) => Promise<void>
}

export interface CtxOptions {
  readonly db: Db
  /** The database's, in every process of a shop. The machine's own by default: for tests, and before there is a database to ask. */
  readonly clock?: Pick<Clock, 'now'>
  readonly keys: Keys
  readonly log: Log
  readonly actor: string
  readonly isLimited?: boolean
  readonly locale?: LanguageCode
  readonly currency?: string
}

/** The context of real work. */
export function createCtx(options: CtxOptions): Ctx {
  const now = options.clock?.now ?? (() => new Date())
  return {
    db: options.db,
    now,
    newId: () => uuidv7(now().getTime(), randomBytes(10)),
    random: (bytes) => randomBytes(bytes),
    keys: options.keys,
    log: options.log,
    isLimited: options.isLimited ?? true,
    actor: options.actor,
    requestId: newRequestId(),
    locale: options.locale ?? 'en',
    currency: options.currency ?? 'USD',
  }
}

/** Of a request that has just come, or of work that no request asked for. */
export function newRequestId(): string {
  return randomUUID()
}

/** The same context for another actor, language or currency, in the name of the request that is being answered. */
export function ctxFor(
  ctx: Ctx,
  caller: { readonly actor: string; readonly locale: LanguageCode; readonly currency: string },
): Ctx {
  return { ...ctx, ...caller, requestId: currentRequest()?.id ?? newRequestId() }
}

/** RFC 9562 §5.7: 48 bits of milliseconds, then randomness (10 bytes). */
export function uuidv7(milliseconds: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(milliseconds) << 16n)
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/**
 * Runs `work` in one READ COMMITTED transaction: guards are constraints, guarded updates and row locks in a fixed order.
 * `work` never touches the network.
 */
export function transaction<T>(ctx: Ctx, work: (tx: Tx, now: Date) => Promise<T>): Promise<T> {
  const now = ctx.now()
  return ctx.db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      await ctx.fence?.(tx)
      return work(tx, now)
    })
}

/** One statement that writes, on its own unless the work is fenced: for writes that must not happen twice. */
export function fencedWrite<T>(ctx: Ctx, work: (db: Db) => Promise<T>): Promise<T> {
  return ctx.fence ? transaction(ctx, work) : work(ctx.db)
}

/**
 * Puts a job on the queue inside the caller's transaction: it exists if and only if the write does.
 * A second job of the same name and key replaces one that has not started. The job goes on in the name of the request.
 */
export async function enqueue(
  tx: Tx,
  name: string,
  payload: Readonly<Record<string, unknown>>,
  key: string,
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, job_key => ${key}, flags => ${requestFlags()}::text[])`.execute(
    tx,
  )
}

/** The same context in the name of the request that the work is now done for, if any. */
export function ofThisRequest(ctx: Ctx): Ctx {
  const scope = currentRequest()
  return scope ? { ...ctx, requestId: scope.id } : ctx
}
