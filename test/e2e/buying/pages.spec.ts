import { expect, expectSound, test } from '../page-checks.ts'
import { post, type Shopper } from '../people/shopper.ts'
import { faultsOf } from '../validity.ts'
import {
  buyOverWire,
  CARD,
  cards,
  newBuyer,
  orderOverWire,
  payOverWire,
  TOP_UP,
} from './purchase.ts'

const TOP_UPS = { item: TOP_UP.item, quantity: 2, fields: TOP_UP.fields }

/** English on a desktop, Arabic on a phone: renders, is sound, stands still, fits, and can be used by everybody. */
test('every page of somebody who buys is sound', async ({ page, baseURL, isMobile }) => {
  const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'ar' : 'en' })
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const faults: string[] = []
  for (const path of await pathsWithGoods(shopper)) {
    await test.step(path, async () => {
      expect((await page.goto(shopper.at(path)))?.status()).toBe(200)
      await expect(page).toHaveURL(shopper.at(path))
      await expectSound(page)
      await page.setViewportSize({ width, height })
      if (isMobile) return
      const answer = await page.request.get(path)
      expect([answer.headers()['cache-control'], answer.headers()['referrer-policy']]).toEqual([
        'no-store',
        'no-referrer',
      ])
      faults.push(...(await faultsOf(path, await answer.text())))
    })
  }
  expect([...new Set(faults)]).toEqual([])
})

/** Of a cart, an order to be paid, one being paid, and one whose keys are there while a top-up is on its way. */
async function pathsWithGoods(shopper: Shopper): Promise<readonly string[]> {
  for (const line of [{ item: CARD.item, quantity: 1, fields: {} }, TOP_UPS])
    expect(await post(shopper, 'cart/add', line)).toMatchObject({ code: 1 })
  const bought = await buyOverWire(shopper, cards(2), TOP_UPS)
  const paying = await orderOverWire(shopper, cards())
  await payOverWire(shopper, paying, 'challenge')
  const unpaid = await orderOverWire(shopper, cards(), TOP_UPS)
  const keys = (await (await shopper.page.request.get('/api/cardpwd/index')).json()) as {
    data: { list: { id: string }[] }
  }
  const key = keys.data.list[0]?.id ?? ''
  return [
    '/shop-cart',
    `/order/cashier?order=${unpaid.order}`,
    `/order/pay?order=${unpaid.order}`,
    `/order/pay?order=${paying.order}`,
    `/order/detail?order=${unpaid.order}`,
    `/order/detail?order=${bought.order}`,
    `/order/detail?order=${bought.order}&do=problem`,
    `/order/detail?order=${bought.order}&key=${key}`,
    '/check',
    '/user/order',
    '/user/order?status=unpaid&kind=card',
    '/user/cardpwd',
    '/user/cardpwd?do=export',
    `/user/cardpwd?key=${key}&do=report`,
    '/user/account',
    '/user/notice',
  ]
}
