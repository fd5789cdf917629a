import { discountPercent } from '#features/goods/browse/rules.ts'
import type { ApiCalls } from '#api/contract.ts'
import { formatPercent, formatReduction } from '#platform/i18n/percent.ts'
import { client } from '../state/client.ts'
import { person } from '../state/session.ts'
import { writeAmount, type MoneyStyle } from './amounts.ts'
import type { Buying } from './buying.ts'
import { lowestPrice, type ItemChoice } from './choices.ts'

type LevelPrices = ApiCalls['goods/prices']['data']
type LevelPrice = LevelPrices['list'][number]

/** The level whose prices stand on the page, or are on their way there. */
let shown: number | undefined

/**
 * Puts the prices of the shopper's customer level in the place of those that all see. No row and no line comes or goes by it: what is
 * shown stays where it is. Fetched for shoppers of a level alone.
 */
export async function showLevelPrices({ data, state }: Buying): Promise<void> {
  const level = person.get()?.level
  if (level === shown) return
  shown = level
  const answer = await client
    .get()
    ?.get('goods/prices', { code: data.code }, { needToken: true, showCheckMsg: false })
    // The cart has them, too.
    .catch(() => null)
  if (!answer) return
  const items = atLevel(data.items, answer, data.money)
  state.set({ ...state.get(), items, lowest: lowestPrice(items) })
}

/** The choice at the prices of a level; pure. */
export function atLevel(
  items: readonly ItemChoice[],
  { level_name: name, title, list }: Pick<LevelPrices, 'level_name' | 'title' | 'list'>,
  money: MoneyStyle,
): ItemChoice[] {
  return items.map((item) => {
    const own = list.find((each) => each.item === item.code)
    // What cannot be bought now keeps its price: the reason stands beside it, and would move.
    if (!own?.price || item.minor === null || item.unavailable !== null) return item
    if (own.price.minor === item.minor) return item
    return { ...priced(item, own, own.price, money), level: levelOf(item, own.price, title, name) }
  })
}

function levelOf(
  { minor, price }: ItemChoice,
  own: NonNullable<LevelPrice['price']>,
  title: string,
  name: string,
): NonNullable<ItemChoice['level']> {
  return {
    label: title,
    mark: name === '' ? title : name,
    value: (
      <>
        {minor !== null && BigInt(own.minor) < BigInt(minor) ? (
          <>
            <s className="muted">{price}</s>{' '}
          </>
        ) : null}
        <bdi className="num">{own.text}</bdi>
      </>
    ),
  }
}

function priced(
  item: ItemChoice,
  { unit_price: unitPrice }: LevelPrice,
  { text, minor }: NonNullable<LevelPrice['price']>,
  money: MoneyStyle,
): ItemChoice {
  return {
    ...item,
    price: text,
    minor,
    isFaceValue: false,
    unitPrice,
    ...comparedWith(item, BigInt(minor), money),
  }
}

/** What a unit saves against what it was compared with before; a comparison that was not shown is not begun, as it takes room. */
function comparedWith(
  { minor, was, saving }: ItemChoice,
  own: bigint,
  { language, ...money }: MoneyStyle,
): Pick<ItemChoice, 'was' | 'saving'> {
  if (was === null || saving === null || minor === null) return { was: null, saving: null }
  const compared = BigInt(minor) + BigInt(saving.minor)
  const percent = discountPercent(own, compared)
  if (percent === 0) return { was: null, saving: null }
  return {
    was,
    saving: {
      minor: (compared - own).toString(),
      text: writeAmount({ language, ...money }, compared - own),
      percent: formatPercent(language, percent / 100),
      off: formatReduction(language, percent),
    },
  }
}
