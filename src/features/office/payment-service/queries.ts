import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Keys } from '#platform/keys.ts'
import type { ServiceSettings } from '#platform/service-settings.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'
import {
  findService,
  isWhole,
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
    setBy: row.set_by,
    setAt: row.set_at,
  }))
}

export async function findEntered(db: Db | Tx, code: string): Promise<EnteredService | null> {
  return (await listEntered(db)).find((entered) => entered.code === code) ?? null
}

/** Settings of every service that has some: the environment's, and where it gives none what was entered. */
export async function readServices(
  db: Db,
  keys: Keys,
  environment: PaymentEnvironment,
): Promise<{
  readonly services: ServiceSettings
  readonly unreadable: readonly string[]
  /** Another one as soon as anything was entered anew. */
  readonly version: string
}> {
  const services: Record<string, ServiceSettings[string]> = { ...environment.services }
  const unreadable: string[] = []
  const entered = await listEntered(db)
  for (const { code, sealed } of entered) {
    const service = findService(code)
    if (!service || sealed === null || services[code]) continue
    const values = openValues(keys, code, sealed)
    // Another release may ask for more than was entered.
    if (values && isWhole(service, values))
      services[code] = settingsOf(service, values, environment)
    else unreadable.push(code)
  }
  const version = entered.map((each) => `${each.code} ${each.version}`).join()
  return { services, unreadable, version }
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
  /** Where its settings come from; 'unreadable' are sealed with another key. */
  readonly source: 'environment' | 'entered' | 'unreadable' | 'none'
  readonly mode: PaymentMode | null
  readonly settings: readonly ShownSetting[]
  /** 0 before anything was entered. */
  readonly version: number
  readonly tried: Tried | null
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
    const settings = given ?? (values && settingsOf(service, values, environment))
    const isOwn = !given && own !== undefined && own.sealed !== null
    return {
      code,
      source: given ? 'environment' : !isOwn ? 'none' : values ? 'entered' : 'unreadable',
      mode: settings ? (service.modeOf?.(settings) ?? null) : null,
      settings: shownSettings(service, given ? revealed(given) : (values ?? {})),
      version: own?.version ?? 0,
      tried: isOwn ? (own?.tried ?? null) : null,
      setBy: isOwn ? (own?.setBy ?? null) : null,
      setAt: isOwn ? (own?.setAt ?? null) : null,
    }
  })
}

const revealed = (given: ServiceSettings[string]): EnteredValues =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.reveal()]))

/** Payments that may still bring money by themselves; counted up to a thousand. */
export async function countOpenPayments(db: Db | Tx, code: string): Promise<number> {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('payment_attempt')
        .select('id')
        .where('provider', '=', code)
        .where('check_at', 'is not', null)
        .where('status', 'in', ['created', 'requires_action', 'seen', 'authorised'])
        .limit(1_000)
        .as('open'),
    )
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
