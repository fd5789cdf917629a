import { sql, type RawBuilder } from 'kysely'
import type { OrderStatus } from '#features/buying/order/rules.ts'
import { GOODS_TYPE, type BrandKind, type ItemKind } from '#features/goods/catalogue/rules.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Tx } from '#platform/ctx.ts'

/** An event that nobody else tells now, with all that is said of it. */
export interface TakenEvent {
  readonly id: string
  readonly reason: string
  readonly status: OrderStatus
  /** Whether the order is held for a closer look by now. */
  readonly isHeld: boolean
  readonly details: Readonly<Record<string, string | number>>
  readonly order: string
  readonly number: string
  readonly language: LanguageCode
  readonly currency: string
  readonly totalMinor: string
  readonly feeMinor: string
  readonly accountId: string
  /** Null when the person has been erased, and of what a program has ordered, which is told by its webhook. */
  readonly email: string | null
  readonly lines: readonly TakenLine[]
  /** Money that the event sends back, or has sent back. */
  readonly refund: {
    readonly minor: string
    readonly currency: string
    readonly destination: string
  } | null
}

export interface TakenLine {
  readonly position: number
  readonly product: string
  /** As they stand in the order: in English. */
  readonly englishName: string
  readonly item: string
  /** What they are called in the order's language is made from these; null where the goods are in the catalogue no more. */
  readonly words: GoodsWords | null
  /** The number that a recharge goes to. */
  readonly phone: string | null
  readonly quantity: number
  /** Of one. */
  readonly priceMinor: string
  /** Code of its cover; null for none. */
  readonly picture: string | null
  readonly delivery: 'card_key' | 'direct_charge' | 'store_credit'
  /** Usual minutes to delivery: half of the latest took no longer, or the catalogue's estimate. */
  readonly minutes: number | null
  readonly isMeasured: boolean
}

/** Translations are null where there are none; figures of items are text, as they may pass what JSON numbers hold. */
export interface GoodsWords {
  readonly kind: BrandKind
  readonly brand: string
  readonly ownBrand: string | null
  readonly unit: string | null
  /** Name and forms of the unit by field, in the order's language and in English. */
  readonly unitTexts: Readonly<Record<string, string>> | null
  readonly englishUnitTexts: Readonly<Record<string, string>> | null
  /** Where it works, of goods that are sold for several regions. */
  readonly region: string | null
  readonly faceCurrency: string | null
  readonly itemKind: ItemKind
  readonly itemName: string
  readonly ownItemName: string | null
  readonly units: string | null
  readonly bonus: string | null
  readonly days: number | null
  readonly dataMb: number | null
  /** Of goods that are sold at any amount, the one asked for. */
  readonly faceMinor: string | null
}

/** A sentence of the catalogue in the order's language: phrases are known by the hash of their English. */
const phrase = (english: RawBuilder<unknown>) =>
  sql<string | null>`(
    select text from translation
    where subject = 'phrase' and subject_code = left(encode(sha256(convert_to(${english}, 'UTF8')), 'hex'), 16) and language = o.language
  )`

/** A line's words; rows `o` order, `l` line, `p` product, `b` brand, `i` item. */
const WORDS = sql<GoodsWords | null>`case when i.code is not null then json_build_object(
  'kind', b.kind, 'brand', b.name, 'ownBrand', coalesce(own.text, game.text), 'unit', u.name,
  'unitTexts', (select json_object_agg(field, text) from translation where subject = 'unit' and subject_code = b.unit and language = o.language),
  'englishUnitTexts', (select json_object_agg(field, text) from translation where subject = 'unit' and subject_code = b.unit and language = 'en'),
  'region', case when (select count(*) from product where brand = b.code and status = 'active') > 1 then case when p.region_name is null
    then coalesce((select text from translation where subject = 'region' and subject_code = p.region and field = 'name' and language = o.language), r.name)
    else coalesce(${phrase(sql`p.region_name`)}, p.region_name) end end,
  'faceCurrency', p.face_currency, 'itemKind', i.kind, 'itemName', i.name, 'ownItemName', ${phrase(sql`i.name`)},
  'units', i.units::text, 'bonus', i.bonus::text, 'days', i.days, 'dataMb', i.data_mb, 'faceMinor', coalesce(l.amount_minor, i.face_minor)::text) end`

/** Takes events that are to be told, oldest first, and marks them as told; all of it counts once the transaction is committed. */
export async function takeEvents(tx: Tx, limit: number): Promise<TakenEvent[]> {
  const { rows } = await sql<TakenEvent>`
    with due as materialized (
      select id, seq, order_id, reason, to_status, details from order_event where is_to_tell order by seq limit ${limit} for no key update skip locked
    ), told as (
      update order_event set is_to_tell = false from due where order_event.id = due.id
    )
    select due.id, due.reason, due.to_status as status, o.hold is not distinct from 'risk' as "isHeld", due.details, o.public_id as "order", o.number, o.language, o.currency, o.total_minor::text as "totalMinor", o.fee_minor::text as "feeMinor",
      o.account_id as "accountId", case when exists (select from reseller_order r where r.order_id = o.id) then null else a.email end as email, line.list as lines, refund.money as refund
    from due join shop_order o on o.id = due.order_id join account a on a.id = o.account_id
    cross join lateral (
      select json_agg(json_build_object('position', l.position, 'product', l.product, 'englishName', l.product_name, 'item', l.item_name, 'phone', case when l.goods_type = ${GOODS_TYPE.recharge} then l.account_fields ->> ${PHONE_FIELD} end, 'quantity', l.quantity, 'priceMinor', l.price_minor::text, 'picture', coalesce(p.picture, b.picture),
        'delivery', l.delivery, 'minutes', coalesce(took.minutes, p.typical_minutes, b.typical_minutes), 'isMeasured', took.minutes is not null, 'words', ${WORDS}) order by l.position) as list
      from order_line l
      left join product p on p.code = l.product left join brand b on b.code = p.brand left join item i on i.id = l.item left join unit u on u.key = b.unit
      left join region r on r.code = p.region left join delivery_time d on d.brand = b.code
      -- What is said of the product goes before what was measured of its brand, but nothing is estimated to be faster than it was.
      cross join lateral (select case when greatest(ceil(d.p50_seconds / 60.0), 1) >= coalesce(p.typical_minutes, 0) and d.brand is not null then greatest(ceil(d.p50_seconds / 60.0), 1)::integer end as minutes) as took
      left join translation own on own.subject = 'brand' and own.subject_code = b.code and own.field = 'name' and own.language = o.language
      left join translation game on game.subject = 'game' and game.subject_code = b.game and game.field = 'name' and game.language = o.language and b.kind = 'top_up'
      where l.order_id = o.id
    ) as line
    left join lateral (
      select json_build_object('minor', r.amount_minor::text, 'currency', r.currency, 'destination', r.destination) as money from refund r
      where r.order_id = o.id and case when due.reason = 'refunded' then r.status = 'succeeded' and r.amount_minor::text = due.details->>'amount_minor'
        else r.purpose = 'surplus' and (r.reason = due.reason or due.reason = 'money_returned') end
      order by r.updated_at desc limit 1
    ) as refund on true
    order by due.seq`.execute(tx)
  return rows
}
