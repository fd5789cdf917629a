import { CARD, TOP_UP } from '../e2e/buying/purchase.ts'
import { run, until } from './browser.ts'
import type { Hands } from './hands.ts'
import type { Person } from './person.ts'
import type { Relay } from './relay.ts'

export interface Scene {
  readonly hands: Hands
  readonly shopUrl: string
  readonly relay: Relay
  /** Somebody with an account, who is not signed in. */
  readonly register: () => Promise<Person>
}

/** Throws what went wrong; answers what else is worth telling. */
export type Journey = (scene: Scene) => Promise<string>

const ADD = 'button[form=buy][value=add]'
const AMOUNT = `label:has(input[name=item][value="${CARD.item}"])`

export const JOURNEYS: Readonly<Record<string, Journey>> = {
  'first touch': touchFirst,
  buying: buy,
  back: goBack,
  'signed out, then back': signOutAndGoBack,
}

/** Amount and "Add" are pressed as soon as they are painted, "Add" twice, while no script has come. */
async function touchFirst({ hands, shopUrl, relay }: Scene): Promise<string> {
  const { browser } = hands
  relay.holdScripts()
  await browser.goTo(`${shopUrl}${hands.at(CARD.path)}`)
  await until('the first paint', () => run(browser, isPainted, hands.at(CARD.path)))
  await hands.press({ selector: AMOUNT })
  await hands.press({ selector: ADD }, 2)
  const isAlive = await run(browser, () => document.documentElement.dataset['alive'] !== undefined)
  if (isAlive) throw new Error('the page was alive before it was touched')
  relay.releaseScripts()
  await hands.arrive(CARD.path)
  await expectInCart(hands, 1)
  return 'pressed before any script had come'
}

async function buy({ hands, register }: Scene): Promise<string> {
  const { t } = hands
  const person = await register()
  await hands.open(TOP_UP.path)
  await hands.press({ selector: ADD })
  // What is missing is said at its field.
  await until('a field that says what is missing', () =>
    run(hands.browser, () => (document.activeElement?.id === 'field-user_id' ? true : null)),
  )
  await hands.open(CARD.path)
  await hands.press({ selector: AMOUNT })
  await hands.press({ selector: 'button[form=buy][value=buyNow]' })
  await hands.arrive('/shop-cart')
  await hands.press({ selector: 'main a', text: t('shop-cart.pay') })
  await hands.arrive('/login?redirect=')
  await signIn(hands, person)
  await hands.arrive('/shop-cart')
  await hands.see({ selector: 'header summary', text: person.userName })
  await hands.press({ selector: 'main button', text: t('shop-cart.pay') })
  await hands.arrive('/order/cashier?order=')
  const order = await run(hands.browser, () => new URLSearchParams(location.search).get('order'))
  await hands.press({ selector: 'label:has(input[name=method][value=card])' })
  await hands.press({ selector: 'input[name=agree]' })
  await hands.press({ selector: 'main form:has(input[name=method]) button[type=submit]' })
  await hands.press({ selector: 'button.go' })
  await hands.arrive(`/order/detail?order=${order}`)
  await hands.press({ selector: 'main form button', text: t('cardpwd.reveal') })
  await hands.see({ selector: 'dd bdi.mono' })
  const key = await run(hands.browser, () => document.querySelector('dd bdi.mono')?.textContent)
  if ((key ?? '').length <= 8) throw new Error(`the key is ${key}`)
  return 'paid, and the key was shown'
}

/** From a list to a product and back: the list is where it was left, and knows of what was put into the cart meanwhile. */
async function goBack({ hands }: Scene): Promise<string> {
  const { browser } = hands
  await hands.open('/cards')
  const link = { selector: `main a[href="${hands.at(CARD.path)}"]` }
  await run(
    browser,
    (selector) => document.querySelector(selector)?.scrollIntoView(),
    link.selector,
  )
  await hands.see(link)
  // Firefox keeps no page of which a part is still on its way: the covers scrolled to among it.
  await until('all of the list', () =>
    run(browser, () => {
      const isInSight = (image: HTMLImageElement) => {
        const { top, bottom } = image.getBoundingClientRect()
        const isShown = image.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        return isShown && bottom > 0 && top < innerHeight
      }
      const isThere = [...document.images].filter(isInSight).every((image) => image.complete)
      return isThere && document.readyState === 'complete' ? true : null
    }),
  )
  await run(browser, mark)
  const left = await run(browser, () => scrollY)
  if (left === 0) throw new Error('the list was not scrolled')
  await hands.press(link)
  await hands.arrive(CARD.path)
  await hands.press({ selector: AMOUNT })
  await hands.press({ selector: ADD })
  await expectInCart(hands, 1)
  await browser.back()
  await hands.arrive('/cards')
  await until(`the list at ${left}`, () =>
    run(browser, (before) => (Math.abs(scrollY - before) < 2 ? true : null), left),
  )
  await expectInCart(hands, 1)
  return fromMemory(hands)
}

/**
 * Back to a page made for somebody who has signed out: with the button of the page, and while the page was out of sight, as another
 * tab does it.
 */
async function signOutAndGoBack({ hands, register }: Scene): Promise<string> {
  const { browser, t } = hands
  const person = await register()
  const beThere = async () => {
    await hands.open('/login?redirect=%2FuserDetail')
    await signIn(hands, person)
    await hands.arrive('/userDetail')
    await hands.see({ selector: 'header summary', text: person.userName })
    await hands.open('/cards')
    await hands.see({ selector: 'header summary', text: person.userName })
  }

  await beThere()
  await hands.press({ selector: 'header summary', text: person.userName })
  await hands.press({ selector: 'header button', text: t('shell.signOut') })
  await hands.arrive('/middle?url=')
  for (const path of ['/cards', '/userDetail']) await expectNothingAfterBack(hands, person, path)

  await beThere()
  await run(browser, () => void fetch('/api/user/logout', { method: 'POST' }))
  await until('the end of the session', () =>
    run(browser, () => (document.cookie.includes('signed_in=') ? null : true)),
  )
  await expectNothingAfterBack(hands, person, '/userDetail')
  return 'nothing of the person was seen'
}

async function signIn(hands: Hands, { email, password }: Person): Promise<void> {
  await hands.write('#account', email)
  await hands.write('#password', password)
  await hands.press({ selector: 'main form:has(#password) button[type=submit]' })
}

async function expectInCart({ browser }: Hands, count: number): Promise<void> {
  await until(`${count} in the cart`, () => run(browser, isInCart, count))
}

async function fromMemory({ browser }: Hands): Promise<string> {
  const isKept = await run(browser, () => document.documentElement.dataset['left'] !== undefined)
  if (!isKept) throw new Error('the page was not kept in memory')
  return 'shown from memory (back/forward cache)'
}

/** Every look counts until a visitor's page stands there: a page kept in memory must not show itself first. */
async function expectNothingAfterBack(hands: Hands, person: Person, path: string): Promise<void> {
  const traces = [person.email, person.userName]
  await hands.browser.back()
  let seen = false
  await until(`a visitor's page after ${path}`, async () => {
    const now = await run(hands.browser, lookForTraces, traces, hands.at(path))
    seen ||= now.isSeen
    return now.isSettled ? true : null
  })
  if (seen) throw new Error(`${path} showed the person who had signed out`)
}

// What follows runs in the page.

function isPainted(path: string): true | null {
  const isThere = location.pathname === path
  return isThere && performance.getEntriesByType('paint').length > 0 ? true : null
}

function mark(): void {
  document.documentElement.dataset['left'] = ''
}

function isInCart(count: number): true | null {
  const cart = JSON.parse(localStorage.getItem('cart') ?? '[]') as { quantity: number }[]
  const badge = document.querySelector('header [data-cart]')
  const name = badge?.getAttribute('data-cart-with')?.replace('{count}', String(count))
  return cart.length === 1 &&
    cart[0]?.quantity === count &&
    badge?.getAttribute('aria-label') === name
    ? true
    : null
}

function lookForTraces(traces: readonly string[], path: string) {
  const root = document.documentElement
  const isLogin = location.pathname.endsWith('/login')
  const isThere = location.pathname === path || isLogin
  const isNamed = traces.some((trace) => root.outerHTML.includes(trace))
  const signInLink = document.querySelector('header a[href*="/login"]')
  return {
    isSeen: isThere && isNamed && !root.hidden,
    isSettled:
      isThere &&
      !isNamed &&
      root.dataset['alive'] !== undefined &&
      signInLink?.checkVisibility() === true,
  }
}
