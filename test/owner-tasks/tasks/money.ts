import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { grouped } from '../../e2e/console/console.ts'
import { sql, workNow } from '../../e2e/buying/operator.ts'
import {
  buyOverWire,
  cards,
  orderByTransfer,
  orderOverWire,
  statusOf,
} from '../../e2e/buying/purchase.ts'
import { openMailbox } from '../../e2e/mailbox.ts'
import { buyerOf } from '../buying.ts'
import type { OwnerTask } from '../task.ts'

const DAY_MS = 86_400_000

/** Money, and what is told of it. */
export const MONEY_TASKS: readonly OwnerTask[] = [
  {
    name: 'way-to-pay',
    title: 'Let customers bear a fee for a way to pay, up to a limit',
    way: 'Payments → Methods → the method → Save method',
    ends: 'at the cashier, with its fee',
    async perform(ground) {
      const buyer = await buyerOf(ground)
      const placed = await orderOverWire(buyer, cards())
      const percent = `2.${1 + (Date.now() % 8)}`
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Payments')
      await owner.follow('Methods')
      await owner.follow('E-wallet')
      await owner.fill('Customer pays, percent', percent)
      await owner.fill('Up to', '900')
      await owner.read(page.locator('.fx').first())
      await owner.press('Save method')
      await owner.prove()
      await owner.see('Saved. Checkout follows')
      const { page: shop } = buyer
      const fee = `$${(Math.ceil(Number(percent) * 5) / 100).toFixed(2)}`
      await expect(async () => {
        await buyer.open(`/order/cashier?order=${placed.order}`)
        await expect(
          shop.locator('main label, main li').filter({ hasText: 'E-wallet' }).first(),
        ).toContainText(fee, { timeout: 1_000 })
      }).toPass({ timeout: 60_000 })
    },
  },
  {
    name: 'bank',
    title: 'Match money that came by bank transfer to its order',
    way: 'Payments → Bank lines → the bank’s file → Match',
    ends: 'on the buyer’s order, which is completed',
    async perform(ground) {
      const buyer = await buyerOf(ground)
      const { amount, currency, ...placed } = await orderByTransfer(buyer)
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Payments')
      await owner.follow('Bank lines')
      await owner.upload('Statement, CAMT.053 or CSV', {
        name: 'statement.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          `Date;Amount;Currency;Payer;Text\n2026-11-20;${amount};${currency};Ada Lovelace;for ${grouped(placed.number)}\n`,
        ),
      })
      await owner.press('Import 1 line')
      const line = page
        .locator('section.panel')
        .filter({ hasText: `for ${grouped(placed.number)}` })
      await owner.read(line, 'Paid in full, and delivered')
      await owner.press(/^Match/, line)
      await expect(line).toHaveCount(0)
      await expect.poll(() => statusOf(buyer, placed)).toBe('completed')
    },
  },
  {
    name: 'report',
    title: 'Have sales by country in one’s mail each week',
    way: 'Reports → split by country → Save → Email weekly',
    ends: 'in the owner’s mailbox',
    async perform(ground) {
      const address = `mara-${ground.mark.toLowerCase()}@shop.example`
      await sql(`update operator set email = $1 where name = 'demo'`, [address])
      const name = `By country ${ground.mark}`
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Reports')
      await owner.choose('Split by', 'Country')
      await owner.press('Show')
      await expect(page).toHaveURL(/by=country/)
      await owner.fill('Name', name)
      await owner.press('Save')
      const row = page.getByRole('listitem').filter({ hasText: name })
      await owner.choose(row.getByRole('combobox'), 'Email weekly')
      await expect(row.getByText('next email')).toBeVisible()
      // Its morning has come.
      await sql(
        `update report_mail set next_at = now() from saved_report s where s.id = report_id and s.name = $1`,
        [name],
      )
      await workNow('mail_reports')
      const mail = await openMailbox(ground.shopUrl, address).take()
      expect(mail.subject).toContain(name)
    },
  },
  {
    name: 'files',
    title: 'Take last month’s orders, and the shop’s settings, as files',
    way: 'Exports → the days → Make the file → Download; Settings → Settings as a file → Save file',
    ends: 'in the two files',
    async perform(ground) {
      const buyer = await buyerOf(ground)
      const placed = await buyOverWire(buyer, cards())
      const now = new Date()
      const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
      const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) - DAY_MS)
      await sql(`update shop_order set created_at = $2 where number = $1`, [
        placed.number,
        new Date(first.getTime() + 3 * DAY_MS),
      ])
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Exports')
      await owner.fill('From', first.toISOString().slice(0, 10))
      await owner.fill('Until', last.toISOString().slice(0, 10))
      await owner.press('Make the file')
      const take = page.getByRole('link', { name: 'Download' }).first()
      await owner.see(take)
      const [orders] = await Promise.all([page.waitForEvent('download'), owner.click(take)])
      const sheet = unzipSync(readFileSync(await orders.path()))['xl/worksheets/sheet1.xml']
      expect(strFromU8(sheet ?? new Uint8Array())).toContain(placed.number)
      await owner.go('Settings')
      await owner.follow('Settings as a file')
      const [file] = await Promise.all([page.waitForEvent('download'), owner.press('Save file')])
      const kept = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
        settings: { shop: { name: string } }
      }
      expect(await (await fetch(ground.shopUrl)).text()).toContain(kept.settings.shop.name)
    },
  },
]
