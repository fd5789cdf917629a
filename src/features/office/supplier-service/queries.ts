import { sql } from 'kysely'
import {
  isWhole,
  revealed,
  shownSettings,
  type ShownSetting,
} from '#features/office/service-settings/engine/settings.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Keys } from '#platform/keys.ts'
import type { ServiceSettings } from '#platform/service-settings.ts'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import {
  accountOf,
  closedBy,
  findSupplier,
  modeOf,
  openValues,
  settingsOf,
  type SupplyEnvironment,
  type SupplyMode,
  type Tried,
} from './engine/settings.ts'

/** What was entered for a supplier, and who did. */
export interface EnteredSupplier {
  readonly code: string
  /** Null: taken away. */
  readonly sealed: Buffer | null
  readonly version: number
  readonly tried: Tried
  readonly account: string | null
  readonly setBy: string
  readonly setAt: Date
}

export async function listEntered(db: Db | Tx): Promise<EnteredSupplier[]> {
  const rows = await db.selectFrom('supplier_service').selectAll().orderBy('code').execute()
  return rows.map((row) => ({
    code: row.code,
    sealed: row.sealed,
    version: row.version,
    tried: row.tried as Tried,
    account: row.account_id,
    setBy: row.set_by,
    setAt: row.set_at,
  }))
}

export async function findEntered(db: Db | Tx, code: string): Promise<EnteredSupplier | null> {
  return (await listEntered(db)).find((entered) => entered.code === code) ?? null
}

/** Settings that were entered and can be read, by supplier. */
export async function readSuppliers(
  db: Db,
  keys: Keys,
  environment: SupplyEnvironment,
): Promise<{
  readonly entered: ServiceSettings
  readonly unreadable: readonly string[]
  /** Another one as soon as anything was entered anew. */
  readonly version: string
}> {
  const entered: Record<string, ServiceSettings[string]> = {}
  const unreadable: string[] = []
  const rows = await listEntered(db)
  for (const { code, sealed } of rows) {
    const service = findSupplier(code)
    if (!service || sealed === null || closedBy(service, environment)) continue
    const values = openValues(keys, code, sealed)
    // Another release may ask for more than was entered.
    if (values && isWhole(service, values)) entered[code] = settingsOf(service, values, environment)
    else unreadable.push(code)
  }
  return {
    entered,
    unreadable,
    version: rows.map(({ code, version }) => `${code} ${version}`).join(),
  }
}

/** Suppliers whose settings were entered and are sealed with another key than the shop's. */
export async function listUnreadable(db: Db | Tx, keys: Keys): Promise<string[]> {
  return (await listEntered(db)).flatMap(({ code, sealed }) =>
    sealed !== null && openValues(keys, code, sealed) === null ? [code] : [],
  )
}

/** A supplier's settings as people may see them. */
export interface ShownSupplier {
  readonly code: string
  /** Where they come from; 'own' is a demo's sandbox, 'unreadable' are sealed with another key, 'address' lacks what the environment alone says. */
  readonly source: 'environment' | 'entered' | 'unreadable' | 'own' | 'address' | 'none'
  /** What the environment lacks. */
  readonly lacking: readonly string[]
  readonly mode: SupplyMode | null
  readonly settings: readonly ShownSetting[]
  /** 0 before anything was entered. */
  readonly version: number
  readonly tried: Tried | null
  readonly account: string | null
  readonly setBy: string | null
  readonly setAt: Date | null
}

export async function listShown(
  db: Db,
  keys: Keys,
  environment: SupplyEnvironment,
): Promise<ShownSupplier[]> {
  const entered = new Map((await listEntered(db)).map((each) => [each.code, each]))
  return SUPPLY_SERVICES.map((service) => {
    const { code } = service
    const row = entered.get(code)
    const closed = closedBy(service, environment)
    const given = environment.services[code]
    const own = !closed && row?.sealed ? row : null
    const values = own?.sealed ? openValues(keys, code, own.sealed) : null
    const settings =
      given ?? (values ? settingsOf(service, values, environment) : environment.own[code])
    return {
      code,
      source: given
        ? 'environment'
        : closed
          ? 'address'
          : own
            ? values
              ? 'entered'
              : 'unreadable'
            : environment.own[code]
              ? 'own'
              : 'none',
      lacking: closed?.names ?? [],
      mode: settings ? modeOf(service, settings) : null,
      settings: shownSettings(service, given ? revealed(given) : (values ?? {})),
      version: row?.version ?? 0,
      tried: own?.tried ?? null,
      account: settings ? accountOf(service, settings) : null,
      setBy: own?.setBy ?? null,
      setAt: own?.setAt ?? null,
    }
  })
}

const OPEN_COUNTED = 1_000

/** Purchases at a supplier that it may still have to be asked about; up to a thousand. */
export async function countOpenPurchases(db: Db | Tx, supplier: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select 1 from purchase where supplier = ${supplier} and next_ask_at is not null
      union all select 1 from purchase where supplier = ${supplier} and status = 'doubt' and next_ask_at is null limit ${OPEN_COUNTED}
    ) as open`.execute(db)
  return rows[0]?.count ?? 0
}
