import { createKey, type MadeKey, type NewKey } from '#features/buying/reseller/commands.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import type { TestDatabase } from './database.ts'
import { asOperator } from './operators.ts'
import { somebody } from './people.ts'
import { startShop, type RunningShop } from './running-shop.ts'
import { stockVapour, VAPOUR_CARD } from './vapour-cards.ts'

export interface ResellerShop {
  readonly shop: RunningShop
  /** With the shop's own key, so that secrets made by it are those that the shop knows. */
  readonly ctx: Ctx
}

/** A shop of the small catalogue that has so many codes of `VAPOUR_CARD`, each beginning with the mark. */
export async function openResellerShop(
  database: TestDatabase,
  { mark, count }: { readonly mark: string; readonly count: number },
  settings: Readonly<Record<string, string>> = {},
): Promise<ResellerShop> {
  const ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await stockVapour(ctx, [{ item: VAPOUR_CARD, mark, count }])
  const shop = await startShop(database.url, {
    VAULT_KEYS: `1:${Buffer.alloc(32, 3).toString('base64')}`,
    ...settings,
  })
  return { ctx, shop }
}

export interface Reseller {
  readonly accountId: string
  readonly email: string
  readonly made: MadeKey
}

/** Who has a key, and credit in US dollars: somebody new, unless it is said who. */
export async function makeReseller(
  ctx: Ctx,
  {
    credit = 100_000n,
    person,
    ...asked
  }: Partial<NewKey> & {
    readonly credit?: bigint
    readonly person?: Pick<Reseller, 'accountId' | 'email'>
  } = {},
): Promise<Reseller> {
  const { accountId, email } = person ?? (await somebody(ctx, { withPassword: false }))
  const money = { minor: credit, currency: 'USD' }
  if (credit > 0n) await transaction(ctx, (tx) => grantCredit(tx, ctx, { accountId, email, money }))
  const made = await createKey(asOperator(ctx), {
    email,
    name: 'Corner Cards',
    scopes: ['browse', 'order', 'reveal'],
    orderMax: 50_000n,
    dayMax: 100_000n,
    agentMax: null,
    networks: [],
    ...asked,
  })
  return { accountId, email, made }
}
