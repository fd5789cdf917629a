import { createWords } from '../browser/words.ts'
import type { PageState } from '../browser/page-state.ts'
import type { BuyData } from './buy-data.ts'
import { createBuying, FORM_ID, type Buying } from './buying.ts'

let opened: Buying | undefined

/**
 * Opens the store of a product's page, and with it the way into the cart. Neither needs React, which comes later: on a slow line more than
 * a second later. What is pressed to buy is done as soon as this is here; its islands show the same store once they are alive.
 */
export function openBuying(page: PageState): Buying {
  return (opened ??= begin(page))
}

function begin(page: PageState): Buying {
  const words = createWords(page)
  const buying = createBuying(page.payload.data as BuyData, words)
  buying.open()
  const form = document.getElementById(FORM_ID)
  if (!(form instanceof HTMLFormElement)) return buying
  const add = () => buying.add({ path: '/shop-cart', text: words.t('shell.cart') })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void add()
  })
  showKept(form, buying)
  const take = () => takeHeld(form, { add, buy: buying.buy })
  document.addEventListener('held', take)
  take()
  return buying
}

/** What was typed on an earlier page of this tab, where nothing is typed on this one. */
function showKept(form: HTMLFormElement, { state }: Buying): void {
  const { values } = state.get()
  for (const [key, value] of Object.entries(values)) {
    const field = form.querySelector<HTMLInputElement | HTMLSelectElement>(`[data-field="${key}"]`)
    if (field?.value === '') field.value = value
  }
}

interface Ways {
  readonly add: () => Promise<boolean>
  readonly buy: () => Promise<void>
}

let underWay: Promise<unknown> = Promise.resolve()
const PATIENCE_MS = 1_000

/** When what was pressed so far is done, or takes too long: on a slow phone, React would keep its answer waiting. */
export function whenAnswered(): Promise<unknown> {
  return Promise.race([underWay, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

/** What is in the cart by a press of before the page was alive. */
let added: string | null = null

/**
 * Does what was pressed to buy and is held (`boot.ts`), as long as nothing else was pressed before it: that may change what is bought, and
 * waits for its island.
 */
function takeHeld(form: HTMLFormElement, ways: Ways): void {
  const held = window.held ?? []
  for (let [first] = held; isToBuy(first, form); [first] = held) {
    held.shift()
    underWay = Promise.all([underWay, press(first, form, ways)])
  }
}

function isToBuy(
  pressed: HTMLElement | undefined,
  form: HTMLFormElement,
): pressed is HTMLButtonElement {
  return pressed instanceof HTMLButtonElement && pressed.form === form
}

/** Whoever presses "Add" again before the page can say that it was done means the same goods, once. */
async function press(
  button: HTMLButtonElement,
  form: HTMLFormElement,
  { add, buy }: Ways,
): Promise<void> {
  if (button.value === 'add') {
    const wish = JSON.stringify([...new FormData(form)])
    if (wish !== added && (await add())) added = wish
  } else await buy()
  delete button.dataset['held']
}
