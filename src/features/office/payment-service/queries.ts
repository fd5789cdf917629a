import { sql } from 'kysely'
import { revealed } from '#features/office/service-settings/engine/settings.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Keys } from '#platform/keys.ts'
import type { FormerSettings, GivenSettings, ServiceSettings } from '#platform/service-settings.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'
import {
  addressesLacking,
  findService,
  isWhole,
  type ServiceAccount,
  openValues,
  type PaymentMode,
  settingsOf,
  shownSettings,
  type EnteredValues,
  type PaymentEnvironment,
  type ShownSetting,
  type Tried,
} from './engine/settings.ts'

/** What was entered for a service, and who did. */
export interface EnteredService {
  readonly code: string
  /** Null: taken away. */
  readonly sealed: Buffer | null
  readonly version: number
  readonly tried: Tried
  /** Whose it is; null where the service did not tell. */
  readonly account: ServiceAccount | null
  readonly setBy: string
  readonly setAt: Date
}

export async function listEntered(db: Db | Tx): Promise<EnteredService[]> {
  const rows = await db.selectFrom('payment_service').selectAll().orderBy('code').execute()
  return rows.map((row) => ({
    code: row.code,
    sealed: row.sealed,
    version: row.version,
    tried: row.tried,
    account:
      row.account_id !== null && row.account_version === row.version
        ? { id: row.account_id, name: row.account_name }
        : null,
    setBy: row.set_by,
    setAt: row.set_at,
  }))
}

export async function findEntered(db: Db | Tx, code: string): Promise<EnteredService | null> {
  return (await listEntered(db)).find((entered) => entered.code === code) ?? null
}

/** What is sealed for an act that waits; null for none. */
export async function findDraft(db: Db, code: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('payment_service_draft')
    .select('sealed')
    .where('code', '=', code)
    .executeTakeFirst()
  return row?.sealed ?? null
}

/** Settings of every service that has some: the environment's, and where it gives none what was entered. */
export async function readServices(
  db: Db,
  keys: Keys,
  environment: PaymentEnvironment,
): Promise<{
  readonly services: ServiceSettings
  /** Of accounts that were replaced, by service, newest first: payments begun there are asked about with them. */
  readonly former: FormerSettings
  readonly unreadable: readonly string[]
  /** Another one as soon as anything was entered anew. */
  readonly version: string
}> {
  const services: Record<string, ServiceSettings[string]> = { ...environment.services }
  const unreadable: string[] = []
  const entered = await listEntered(db)
  const replaced = await listFormer(db)
  const former: Record<string, GivenSettings[]> = {}
  for (const { code, sealed } of entered) {
    const service = findService(code)
    if (!service || sealed === null || services[code]) continue
    // Where it is called is said by the environment alone: until then nothing is called.
    if (addressesLacking(service, environment.apiUrls).length > 0) continue
    const values = openValues(keys, code, sealed)
    // Another release may ask for more than was entered.
    if (values && isWhole(service, values))
      services[code] = settingsOf(service, values, environment)
    else unreadable.push(code)
    for (const each of replaced.filter((known) => known.code === code)) {
      const old = openValues(keys, code, each.sealed)
      if (old && isWhole(service, old))
        former[code] = [...(former[code] ?? []), settingsOf(service, old, environment)]
    }
  }
  const version = [...entered, ...replaced].map((each) => `${each.code} ${each.version}`).join()
  return { services, former, unreadable, version }
}

async function listFormer(
  db: Db,
): Promise<{ readonly code: string; readonly version: number; readonly sealed: Buffer }[]> {
  return db
    .selectFrom('payment_service_former')
    .select(['code', 'version', 'sealed'])
    .orderBy('code')
    .orderBy('version', 'desc')
    .execute()
}

/** Services whose settings were entered and are sealed with another key than the shop's. */
export async function listUnreadable(db: Db | Tx, keys: Keys): Promise<string[]> {
  return (await listEntered(db)).flatMap(({ code, sealed }) =>
    sealed !== null && openValues(keys, code, sealed) === null ? [code] : [],
  )
}

/** A service as people may see it. */
export interface ShownService {
  readonly code: string
  /** Where its settings come from; 'unreadable' are sealed with another key, 'address' lacks what the environment alone says. */
  readonly source: 'environment' | 'entered' | 'unreadable' | 'address' | 'none'
  /** What the environment lacks. */
  readonly lacking: readonly string[]
  readonly mode: PaymentMode | null
  readonly settings: readonly ShownSetting[]
  /** 0 before anything was entered. */
  readonly version: number
  readonly tried: Tried | null
  readonly account: ServiceAccount | null
  readonly setBy: string | null
  readonly setAt: Date | null
}

export async function listShown(
  db: Db,
  keys: Keys,
  environment: PaymentEnvironment,
): Promise<ShownService[]> {
  const entered = new Map((await listEntered(db)).map((each) => [each.code, each]))
  return PAYMENT_SERVICES.map((service) => {
    const { code } = service
    const own = entered.get(code)
    const given = environment.services[code]
    const values = own?.sealed ? openValues(keys, code, own.sealed) : null
    const lacking = given ? [] : addressesLacking(service, environment.apiUrls)
    const isOpen = lacking.length === 0
    const settings = given ?? (values && isOpen && settingsOf(service, values, environment))
    const isOwn = !given && own !== undefined && own.sealed !== null
    return {
      code,
      source: given ? 'environment' : isOpen ? sourceOf(isOwn, values) : 'address',
      lacking,
      mode: settings ? (service.modeOf?.(settings) ?? null) : null,
      settings: shownSettings(service, given ? revealed(given) : (values ?? {})),
      version: own?.version ?? 0,
      tried: isOwn ? (own?.tried ?? null) : null,
      account: isOwn ? (own?.account ?? null) : null,
      setBy: isOwn ? (own?.setBy ?? null) : null,
      setAt: isOwn ? (own?.setAt ?? null) : null,
    }
  })
}

const sourceOf = (isOwn: boolean, values: EnteredValues | null) =>
  isOwn ? (values ? 'entered' : 'unreadable') : 'none'

/** Payments that may still bring money by themselves. */
export interface OpenPayments {
  /** Up to a thousand. */
  readonly count: number
  /** Of those, by currency. */
  readonly sums: readonly Money[]
}

export async function readOpenPayments(db: Db | Tx, code: string): Promise<OpenPayments> {
  const { rows } = await sql<{ currency: string; count: number; minor: string }>`
    select currency, count(*)::integer as count, sum(amount_minor)::text as minor from (
      select currency, amount_minor from payment_attempt where provider = ${code} and check_at is not null
        and status in ('created', 'requires_action', 'seen', 'authorised') limit 1000
    ) as open group by currency order by currency`.execute(db)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    sums: rows.map(({ currency, minor }) => ({ minor: BigInt(minor), currency })),
  }
}
