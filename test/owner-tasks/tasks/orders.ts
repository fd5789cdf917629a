import { expect } from '@playwright/test'
import { grouped } from '../../e2e/console/console.ts'
import { sql } from '../../e2e/buying/operator.ts'
import {
  buyOverWire,
  cards,
  orderOverWire,
  payOverWire,
  statusOf,
  TOP_UP,
} from '../../e2e/buying/purchase.ts'
import { bringToLife } from '../../e2e/page-checks.ts'
import { buyerOf } from '../buying.ts'
import type { OwnerTask } from '../task.ts'

/** The daily desk. */
export const ORDER_TASKS: readonly OwnerTask[] = [
  {
    name: 'find',
    title: 'Find an order by a buyer’s email, and by a code they hold',
    way: 'Ctrl K → the email → the order; Card keys → Look up a code → the order',
    ends: 'on the order’s page, twice',
    async perform(ground) {
      const buyer = await buyerOf(ground)
      const placed = await buyOverWire(buyer, cards())
      await buyer.open('/user/cardpwd')
      await buyer.page
        .getByRole('button', { name: buyer.t('cardpwd.reveal') })
        .first()
        .click()
      const code = await buyer.page.locator('dd bdi.mono').first().innerText()
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.palette(buyer.email)
      await owner.follow(grouped(placed.number))
      await owner.see(page.getByRole('heading', { level: 1, name: grouped(placed.number) }))
      await owner.go('Card keys')
      await owner.unfold('Look up a code')
      await owner.paste('Code', code)
      await owner.click(page.locator('details form button[type=submit]'))
      await owner.follow(grouped(placed.number))
      await owner.see(page.getByRole('heading', { level: 1, name: grouped(placed.number) }))
    },
  },
  {
    name: 'refund',
    title: 'Give back half of an order of two',
    way: 'Ctrl K → the order → Refund → untick one → Refund',
    ends: 'in the buyer’s mail, and on the order: one of two is refunded',
    async perform(ground) {
      const buyer = await buyerOf(ground)
      const placed = await buyOverWire(buyer, cards(2))
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.palette(placed.number)
      await owner.follow(grouped(placed.number))
      await owner.press('Refund')
      const panel = page.locator('aside section.panel').filter({ has: page.locator('form') })
      await owner.tick(panel.getByRole('checkbox').last())
      await owner.read(panel.locator('.fx'), '$5.00')
      await owner.press('Refund', panel)
      await owner.see('Done.')
      await expect
        .poll(
          async () =>
            (
              await sql(
                `select r.amount_minor::text as minor, r.status from refund r join shop_order o on o.id = r.order_id where o.number = $1`,
                [placed.number],
              )
            ).map(({ minor }) => minor),
          { timeout: 60_000 },
        )
        .toEqual(['500'])
      await expect
        .poll(
          async () => {
            const answer = await fetch(`${ground.shopUrl}/sandbox/mail.json?to=${buyer.email}`)
            const mails = (await answer.json()) as { readonly subject: string }[]
            return mails.map(({ subject }) => subject).join()
          },
          { timeout: 60_000 },
        )
        .toMatch(/refund/i)
    },
  },
  {
    name: 'by-hand',
    title: 'Deliver a top-up by hand',
    way: 'Home → Manual delivery → Claim → what shows it → Mark as delivered',
    ends: 'on the buyer’s order, which is completed',
    async perform(ground) {
      const [item] = await sql(
        `select i.id, i.code from item i where i.product = $1 and i.code <> $2 and i.status = 'active' order by i.code desc limit 1`,
        [TOP_UP.product, TOP_UP.item],
      )
      await sql(`update supplier_offer set is_on = false where item = $1`, [item?.['id']])
      const buyer = await buyerOf(ground)
      const placed = await orderOverWire(buyer, {
        item: String(item?.['code']),
        quantity: 1,
        fields: TOP_UP.fields,
      })
      await payOverWire(buyer, placed)
      await expect
        .poll(
          async () =>
            (
              await sql(`select settled_at is not null as paid from shop_order where number = $1`, [
                placed.number,
              ])
            )[0]?.['paid'],
        )
        .toBe(true)
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Manual delivery')
      const row = page.getByRole('row', { name: grouped(placed.number) })
      await owner.press('Claim', row)
      await owner.see(page.getByText(TOP_UP.fields.user_id, { exact: true }))
      await owner.fill('What shows it', `BS-${ground.mark}`)
      await owner.read(page.locator('.fx').first(), 'No approval is needed.')
      await owner.press('Mark as delivered')
      await owner.see(page.getByRole('status').filter({ hasText: 'Done.' }))
      await expect.poll(() => statusOf(buyer, placed)).toBe('completed')
    },
  },
  {
    name: 'case',
    title: 'Answer a customer whose code does not work',
    way: 'Home → Cases → the case → answer → Send another key',
    ends: 'with the customer: another code, and the words on their order',
    hard: 'the words reach the customer on their order alone: the mail says that the order is ready and not what was answered.',
    async perform(ground) {
      const buyer = await buyerOf(ground)
      const { page: shop, t } = buyer
      const placed = await buyOverWire(buyer, cards())
      await buyer.open('/user/cardpwd')
      await shop.getByRole('button', { name: t('cardpwd.reveal') }).click()
      const before = await shop.locator('dd bdi.mono').first().innerText()
      await shop.getByRole('link', { name: t('cardpwd.report') }).click()
      await shop.locator('textarea').waitFor()
      await bringToLife(shop)
      await shop.locator('textarea').fill(`Somebody has used it, ${ground.mark}.`)
      await buyer.press(t('cardpwd.reportSend'))
      await shop.getByText(t('cardpwd.reportDone')).waitFor()
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Cases')
      const row = page
        .locator('#main li, #main tr, #main a')
        .filter({ hasText: buyer.userName })
        .last()
      await owner.click(row.locator('a').or(row).first())
      await owner.read(page.getByText(`Somebody has used it, ${ground.mark}.`))
      await owner.press('Take it')
      const answer = `We are sorry. Another key is yours. ${ground.mark}`
      await owner.fill('Answer to the customer', answer)
      await owner.read(page.locator('.fx').first())
      await owner.press('Send another key')
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Agreed')
      await expect
        .poll(
          async () => {
            await buyer.open(`/order/detail?order=${placed.order}`)
            return (await shop.locator('main').innerText()).includes(answer)
          },
          { timeout: 60_000 },
        )
        .toBe(true)
      await buyer.open('/user/cardpwd')
      await shop.getByRole('button', { name: t('cardpwd.reveal') }).click()
      await expect(shop.locator('dd bdi.mono').first()).not.toHaveText(before)
    },
  },
]
