import { localPath } from '../local-path.ts'
import { forgetSeen, othersThan, rememberSeen, type SeenProduct } from '../state/seen.ts'

const SHOWN_MAX = 8

/** Fills the place at the end of a page with what was looked at before; it stays hidden while there is nothing. */
export function showSeen(prefix: string): void {
  const section = document.querySelector<HTMLElement>('[data-seen]')
  const entry = section?.querySelector('template')?.content.firstElementChild
  if (!section || !entry) return
  const products = othersThan(productHere(section)?.path ?? null).slice(0, SHOWN_MAX)
  section
    .querySelector('ul')
    ?.replaceChildren(...products.map((product) => entryOf(entry, product, prefix)))
  section.hidden = products.length === 0
  section.querySelector('button')?.addEventListener('click', () => {
    forgetSeen()
    section.hidden = true
  })
}

/** The product whose page this is counts as seen from now on. */
export function rememberPage(): void {
  const section = document.querySelector<HTMLElement>('[data-seen]')
  const product = section && productHere(section)
  if (product) rememberSeen(product)
}

function productHere(section: HTMLElement): SeenProduct | null {
  const text = section.dataset['seen'] ?? ''
  return text === '' ? null : (JSON.parse(text) as SeenProduct)
}

function entryOf(entry: Element, product: SeenProduct, prefix: string): Node {
  const item = entry.cloneNode(true) as Element
  const [name, region] = item.querySelectorAll('bdi')
  item.querySelector('a')?.setAttribute('href', localPath(prefix, product.path))
  item.querySelector('img')?.setAttribute('src', product.image)
  if (name) {
    name.textContent = product.name
    if (product.lang !== undefined) name.lang = product.lang
  }
  if (region) region.textContent = product.region
  return item
}
