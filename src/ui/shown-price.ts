/** Where a price stands in the HTML of what shows one: the price itself, and how much less it is, where that is said. */
export interface ShownPrice {
  readonly price: HTMLElement
  readonly off: HTMLElement | null
}

/** Of a `Tile`, by its link. Null for one without a price. */
export function tilePrice(link: Element): ShownPrice | null {
  return shownIn(link, ':scope > span:last-child')
}

/** Of a `Denomination`, by its radio button. */
export function denominationPrice(input: Element): ShownPrice | null {
  const label = input.closest('label')
  return label && shownIn(label, ':scope > span:last-child')
}

function shownIn(whole: Element, where: string): ShownPrice | null {
  const price = whole.querySelector<HTMLElement>(`${where} > bdi`)
  return price && { price, off: whole.querySelector<HTMLElement>(`${where} > span:last-child`) }
}
