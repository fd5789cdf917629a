import type { Page, Response } from '@playwright/test'
import { getLanguage } from '../../../src/kernel/language.ts'
import { expect } from '../page-checks.ts'
import {
  newShopper,
  post,
  registerOverWire,
  type Shopper,
  type ShopperOptions,
} from '../people/shopper.ts'

/** Goods of the demo catalogue: one whose code comes at once, and one that is credited to an account. */
export const CARD = {
  product: 'steam-us',
  path: '/cards/steam-us',
  item: 'card:steam:us:5',
} as const
export const TOP_UP = {
  product: 'mobile-legends-global',
  path: '/top-up/mobile-legends-global',
  item: 'game:mobile-legends:global:78-plus-8',
  fields: { user_id: '123456789', zone_id: '4321' },
} as const

export interface Goods {
  readonly item: string
  readonly quantity: number
  readonly fields?: Readonly<Record<string, string>>
}

export const cards = (quantity = 1): Goods => ({ item: CARD.item, quantity })

/** Somebody signed in, whom the banner does not bother. */
export async function newBuyer(
  page: Page,
  shopUrl: string,
  options: ShopperOptions = {},
): Promise<Shopper> {
  await page.context().addCookies([{ name: 'consent', value: 'refuse', url: shopUrl }])
  const shopper = newShopper(page, shopUrl, options)
  await registerOverWire(shopper)
  return shopper
}

export interface Placed {
  /** As addresses and calls name it. */
  readonly order: string
  /** As people do. */
  readonly number: string
}

export async function orderOverWire(shopper: Shopper, ...goods: readonly Goods[]): Promise<Placed> {
  const answer = await post(shopper, 'order/create', {
    lines: goods.map((line) => ({ fields: {}, ...line })),
  })
  expect(answer).toMatchObject({ code: 1 })
  const { order, order_no: number } = answer.data as { order: string; order_no: string }
  return { order, number }
}

/** Orders, and pays on the sandbox's page without looking at it. */
export async function payOverWire(
  shopper: Shopper,
  { order }: Placed,
  outcome = 'approve',
): Promise<void> {
  const started = await post(shopper, 'pay/start', { order, method: 'card' })
  const url = (started.data as { redirect_url: string }).redirect_url
  const decided = await shopper.page.request.post(
    url.replace('/sandbox/payment/', '/sandbox/payment/sessions/') + '/decide',
    { data: { outcome } },
  )
  expect(decided.status()).toBe(200)
}

export async function buyOverWire(shopper: Shopper, ...goods: readonly Goods[]): Promise<Placed> {
  const placed = await orderOverWire(shopper, ...goods)
  await payOverWire(shopper, placed)
  await expect
    .poll(() => statusOf(shopper, placed), { timeout: 60_000 })
    .toMatch(/^(?:completed|shipping|waiting_for_shipment)$/)
  return placed
}

export async function statusOf({ page }: Shopper, { order }: Placed): Promise<string> {
  const answer = await page.request.get(`/api/order/detail?order=${order}`)
  return ((await answer.json()) as { data: { status: string } }).data.status
}

/** Ticks the box, chooses a method and goes to pay. */
export async function payBy(shopper: Shopper, method: string): Promise<void> {
  const { page } = shopper
  const agree = page.locator('input[name=agree]')
  await agree.check()
  await page.locator(`label:has(input[name=method][value="${method}"])`).click()
  await pressPay(shopper)
}

/** Orders a card and says that it will be paid by bank transfer. @returns the order, and what is to be sent as the page says it */
export async function orderByTransfer(
  shopper: Shopper,
): Promise<Placed & { readonly amount: string; readonly currency: string }> {
  const placed = await orderOverWire(shopper, cards())
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'bank-transfer')
  const sum = (await shopper.page.locator('main code').first().textContent()) ?? ''
  const [amount = '', currency = ''] = sum.split(' ')
  return { ...placed, amount, currency }
}

/** The form's own: at the foot of the screen on a phone, beside the goods elsewhere. */
export async function pressPay({ page }: Shopper): Promise<void> {
  await page.locator('main form:has(input[name=method]) button[type=submit]:visible').last().click()
}

/** On the demo's payment page, which speaks the language of the order. */
export async function decideAtSandbox(
  { page, t, language, examine }: Shopper,
  outcome: 'approve' | 'challenge' | 'pending' | 'underpay' | 'decline' | 'abandon',
): Promise<void> {
  await expect(page).toHaveURL(/\/sandbox\/payment\//)
  const { tag, dir } = getLanguage(language)
  await expect(page.locator('html')).toHaveAttribute('lang', tag)
  await expect(page.locator('html')).toHaveAttribute('dir', dir)
  await examine()
  const [before = '', after = ''] = t('cashier.pay', { amount: '#' }).split('#')
  const pay = page
    .locator('button.go')
    .filter({ hasText: before.trim() })
    .filter({ hasText: after.trim() })
  await (outcome === 'approve'
    ? pay
    : page.getByRole('button', { name: t(`sandbox.${outcome}`), exact: true })
  ).click()
}

export async function expectPaidOrder({ page, at }: Shopper, { order }: Placed): Promise<void> {
  await expect(page).toHaveURL(at(`/order/detail?order=${order}`), { timeout: 60_000 })
}

/** Every text that the shop sends to the browser from now on, to look for what must not be there. */
export function recordAnswers(
  page: Page,
): () => Promise<readonly { readonly url: string; readonly text: string }[]> {
  const answers: Promise<{ url: string; text: string }>[] = []
  page.on('response', (response: Response) => {
    if (/json|html/.test(response.headers()['content-type'] ?? ''))
      answers.push(
        response
          .text()
          .catch(() => '')
          .then((text) => ({ url: response.url(), text })),
      )
  })
  return () => Promise.all(answers)
}
