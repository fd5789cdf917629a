import button from '#ui/button.module.css'
import { cart, cartBadge, unitsOf } from '../state/cart.ts'
import { person } from '../state/session.ts'

/** Keeps the number at the header's cart: the account's units, a visitor's kept here. Pages are sent without it. */
export function showCartBadge(): void {
  const link = document.querySelector<HTMLElement>('[data-cart]')
  if (!link) return
  const show = () => {
    const count = cartBadge(person.get()?.cartCount ?? unitsOf(cart.get()))
    const badge = link.querySelector<HTMLElement>('[aria-hidden=true]:not(svg)') ?? addBadge(link)
    badge.hidden = count === null
    badge.textContent = count
    link.ariaLabel =
      (count === null
        ? link.dataset['cart']
        : link.dataset['cartWith']?.replace('{count}', count)) ?? null
  }
  cart.subscribe(show)
  person.subscribe(show)
  if (person.get() || cart.get().length > 0) show()
}

function addBadge(link: HTMLElement): HTMLElement {
  const badge = document.createElement('span')
  badge.className = `${button.count} num`
  badge.ariaHidden = 'true'
  link.append(badge)
  return badge
}
