import { mapInTurns } from '#platform/turns.ts'
import type { KeyView } from '#features/buying/vault/schema.ts'
import { listKeyViews } from '#features/buying/vault/views.ts'
import { proofData, type ProofData } from '../forms/proof-data.ts'
import { pictureAddress } from '../goods/picture.ts'
import { viewOf } from '../goods/tile.ts'
import type { PersonalPageContext } from '../page.ts'

/** A key as a page shows it before anybody asks for what it says. */
export interface KeyRow
  extends Pick<
    KeyView,
    'id' | 'order' | 'order_no' | 'label' | 'masked' | 'state' | 'state_text' | 'can' | 'redeem'
  > {
  readonly name: string
  /** Of the product; null for what is sold no more. */
  readonly path: string | null
  readonly image: string
  /** When it was bought, and until when it is good, as sentences. */
  readonly bought: string
  readonly expires: string | null
}

/** What every key of a page needs to know of it. */
export interface KeysState {
  /** The page's own path and query, without those of a key. */
  readonly path: string
  readonly proof: ProofData
  /** The key that the address names (`key=`), and what is asked about it: the proof, or a report (`do=report`). */
  readonly named: { readonly id: string; readonly step: 'reveal' | 'report' } | null
}

export interface KeyRows {
  readonly keys: readonly KeyRow[]
  readonly total: number
  readonly state: KeysState
}

export interface KeyRowsQuery {
  /** Public id of an order: its keys alone. */
  readonly order?: string
  readonly page?: number
  readonly limit?: number
  /** Path and query of the page that shows them. */
  readonly path: string
}

/** As many as an order can hold of cards. */
const ALL = 10_000

/** A page of the person's keys, or those of one order. */
export async function keyRows(
  page: PersonalPageContext,
  { order, page: number = 1, limit = ALL, path }: KeyRowsQuery,
): Promise<KeyRows> {
  const { person, ctx, timeZone } = page
  if (!person) throw new Error('the route lets visitors in')
  const [{ list, total }, proof] = await Promise.all([
    listKeyViews(ctx.db, { ...viewOf(page), now: ctx.now(), timeZone }, person.accountId, {
      order,
      page: number,
      limit,
    }),
    proofData(page),
  ])
  return {
    keys: await mapInTurns(list, (key) => keyRow(page, key)),
    total,
    state: { path, proof, named: namedKey(page) },
  }
}

function namedKey({ query }: PersonalPageContext): KeysState['named'] {
  const id = query.get('key')
  return id === null || id === ''
    ? null
    : { id, step: query.get('do') === 'report' ? 'report' : 'reveal' }
}

function keyRow({ shop, language, t }: PersonalPageContext, key: KeyView): KeyRow {
  const product = shop.catalogue.productByCode.get(key.product.code)
  const { id, order, order_no, label, masked, state, state_text, can, redeem } = key
  return {
    id,
    order,
    order_no,
    label,
    masked,
    state,
    state_text,
    can,
    redeem,
    name: key.product.goods_name,
    path: key.product.path,
    image: pictureAddress(
      { shop, language },
      'goods_thumb_3_4',
      product?.picture ?? product?.brand.picture ?? null,
      { isSmall: true },
    ),
    bought: t('cardpwd.bought', { date: key.delivered_text }),
    expires:
      key.expires_text === null
        ? null
        : t(key.is_expired ? 'cardpwd.expired' : 'cardpwd.expires', { date: key.expires_text }),
  }
}
