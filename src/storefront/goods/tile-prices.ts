import type { LanguageCode } from '#kernel/language.ts'
import { formatReduction } from '#platform/i18n/percent.ts'
import { denominationPrice, tilePrice, type ShownPrice } from '#ui/shown-price.ts'
import { client } from '../state/client.ts'

/** As many as one call takes. */
const AT_ONCE = 60
/** `productPath`, but for recharges: these have a page for all operators. */
const PRODUCT = /\/(?:cards|top-up|product)\/([^/?#]+)/
const QUIET = { needToken: true, showCheckMsg: false } as const

interface Told {
  readonly price: { readonly text: string } | null
  readonly discount: number
}

/** The level whose prices stand on the page, or are on their way there. */
let shown: number | undefined

/**
 * Puts the prices of the shopper's customer level in the place of those that all see: on tiles of products, and on the amounts that a
 * game's page offers. Nothing comes or goes by it. Fetched for shoppers of a level alone; where it fails, product and cart say them.
 */
export async function showTilePrices(level: number, language: string): Promise<void> {
  if (level === shown) return
  shown = level
  const code = language as LanguageCode
  await Promise.all([showOnTiles(code), showOnAmounts(code)]).catch(() => undefined)
}

const codeIn = (address: string): string | undefined => PRODUCT.exec(address)?.[1]

/** What React draws is left to it. */
const isHtmlAlone = (element: Element) => element.closest('[data-island]') === null

async function showOnTiles(language: LanguageCode): Promise<void> {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main li > a[href]')]
  const places = Map.groupBy(links.filter(isHtmlAlone), (link) => codeIn(link.pathname) ?? '')
  places.delete('')
  const codes = [...places.keys()]
  for (let start = 0; start < codes.length; start += AT_ONCE) {
    const asked = codes.slice(start, start + AT_ONCE).join()
    const answer = await client.get()?.get('goods/tile_prices', { codes: asked }, QUIET)
    for (const told of answer?.list ?? [])
      for (const link of places.get(told.code) ?? []) write(tilePrice(link), told, language)
  }
}

/** What products cost at least at the shopper's level, by their addresses: those alone that cost something else than what all see. */
export async function readTilePrices(
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const places = Map.groupBy(addresses, (address) => codeIn(address) ?? '')
  places.delete('')
  const codes = [...places.keys()]
  const prices = new Map<string, string>()
  for (let start = 0; start < codes.length; start += AT_ONCE) {
    const asked = codes.slice(start, start + AT_ONCE).join()
    const answer = await client.get()?.get('goods/tile_prices', { codes: asked }, QUIET)
    for (const { code, price } of answer?.list ?? [])
      if (price) for (const address of places.get(code) ?? []) prices.set(address, price.text)
  }
  return prices
}

async function showOnAmounts(language: LanguageCode): Promise<void> {
  const inputs = [
    ...document.querySelectorAll<HTMLInputElement>('main form input[type=radio][name=item]'),
  ].filter(isHtmlAlone)
  const code = codeIn(inputs[0]?.form?.getAttribute('action') ?? '')
  if (code === undefined) return
  const answer = await client.get()?.get('goods/prices', { code }, QUIET)
  for (const told of answer?.list ?? []) {
    // What cannot be bought now keeps its price: the reason stands beside it.
    const input = inputs.find(({ value, disabled }) => value === told.item && !disabled)
    if (input) write(denominationPrice(input), told, language)
  }
}

function write(place: ShownPrice | null, { price, discount }: Told, language: LanguageCode): void {
  if (place === null || price === null) return
  place.price.textContent = price.text
  if (place.off === null) return
  if (discount > 0) place.off.textContent = formatReduction(language, discount)
  else place.off.hidden = true
}
