import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import { invoiceSetting } from '#features/buying/sales-invoice/schema.ts'
import { listMissing } from '#features/goods/browse/snapshot.ts'
import type { SampleTexts } from '#features/goods/content/engine/sample-texts.ts'
import { listStaleRates } from '#features/goods/currency/queries.ts'
import { alertsSetting } from '#features/office/alert/schema.ts'
import { listOperators } from '#features/team/operator/queries.ts'
import type { Db } from '#platform/db.ts'
import type { ShopFacts } from './rules.ts'

/** What the database knows of whether the shop is ready, now. */
export async function readShopFacts(db: Db, now: Date, samples: SampleTexts): Promise<ShopFacts> {
  const [missing, trade, operators, alerts, rates, invoice] = await Promise.all([
    listMissing(db, samples),
    readTrade(db),
    listOperators(db, now),
    readSetting(db, alertsSetting),
    listStaleRates(db, now),
    readSetting(db, invoiceSetting),
  ])
  return {
    missing,
    ...trade,
    owners: operators
      .filter(({ role, status }) => role === 'owner' && status === 'active')
      .map(({ name, factors }) => ({ name, hasFactor: factors.length > 0 })),
    isToldOfTrouble: alerts.email !== null || alerts.webhook !== null,
    staleRates: rates.map(({ currency }) => currency),
    makesInvoices: invoice !== null,
  }
}

type Trade = Pick<ShopFacts, 'hasGoods' | 'hasStock' | 'hasBeenPaid' | 'hasSentMail'>

/** Each ends at the first row that it finds. */
async function readTrade(db: Db): Promise<Trade> {
  const goods = sql`item i join product p on p.code = i.product join brand b on b.code = p.brand
    where i.status = 'active' and p.status = 'active'`
  const { rows } = await sql<Trade>`
    select exists (select from ${goods}) as "hasGoods",
      exists (select from ${goods} and (b.delivery <> 'card_key'
        or exists (select from stock_level l where l.item = i.id and (l.free > 0 or l.is_to_order)))) as "hasStock",
      exists (select from payment_attempt where captured_minor > 0) as "hasBeenPaid",
      exists (select from outgoing_mail where sent_at is not null) as "hasSentMail"`.execute(db)
  return rows[0] ?? { hasGoods: false, hasStock: false, hasBeenPaid: false, hasSentMail: false }
}
