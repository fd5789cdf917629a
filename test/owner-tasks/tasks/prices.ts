import { expect } from '@playwright/test'
import { sql } from '../../e2e/buying/operator.ts'
import type { Ground, OwnerTask } from '../task.ts'

const BRAND = 'mobile-legends'
const PAGE = '/top-up/mobile-legends-global'
const ITEM = 'game:mobile-legends:global:78-plus-8'

/** A page of the shop in another currency than the visitor's own. */
async function expectPriceIn(ground: Ground, currency: string, path: string, price: RegExp) {
  const page = await ground.window()
  await page.context().addCookies([{ name: 'consent', value: 'refuse', url: ground.shopUrl }])
  await page.request.post('/language_currency', {
    headers: { origin: ground.shopUrl },
    form: { currency, redirect: '/' },
  })
  await expect(async () => {
    await page.goto(path)
    await expect(page.getByText(price).first()).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
}

/** Chooses a currency as a visitor does. @returns whether the shop has taken it */
async function isChosen({ shopUrl }: Ground, currency: string): Promise<boolean> {
  const answer = await fetch(`${shopUrl}/language_currency`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: shopUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ currency, redirect: '/' }),
  })
  return answer.headers.getSetCookie().some((cookie) => cookie.includes(currency))
}

/** What things cost. */
export const PRICE_TASKS: readonly OwnerTask[] = [
  {
    name: 'own-price',
    title: 'Give one item a price of its own in euros',
    way: 'Prices → Own prices → the item, currency and price → Show the effect → Apply',
    hard: 'the field wants the item’s code, which is copied from elsewhere; the item’s own place on the product’s page has no field for it.',
    ends: 'on its page in the shop, in euros',
    async perform(ground) {
      const price = `5.${String(10 + (Date.now() % 80))}`
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Prices')
      await owner.follow('Own prices')
      const form = page.getByRole('region', { name: 'Change' })
      await owner.paste('Item', 'card:steam:us:5', form)
      await owner.choose('Currency', { value: 'EUR' }, form)
      await owner.fill('Price', price, form)
      await owner.press('Show the effect', form)
      await owner.read(form.locator('.fx'), 'approv')
      await owner.press('Apply', form)
      await owner.see('Done. The shop shows it within seconds.')
      await expectPriceIn(
        ground,
        'EUR',
        '/cards/steam-us',
        new RegExp(`€ ?${price.replace('.', '\\.')}`),
      )
    },
  },
  {
    name: 'margin',
    title: 'Earn so many percent on a brand',
    way: 'Prices → New rule → Show the effect → Apply',
    ends: 'on a page of that brand in the shop',
    async perform(ground) {
      await sql(`update item set cost_minor = 100, cost_currency = 'USD' where code = $1`, [ITEM])
      await sql(
        `update supplier_offer set cost_minor = 100, cost_currency = 'USD' where item = (select id from item where code = $1)`,
        [ITEM],
      )
      const percent = 101 + (Date.now() % 90)
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Prices')
      await owner.press('New rule')
      const form = page.locator('section', { has: page.getByLabel('Margin in %') }).last()
      await owner.fill('Brand', BRAND, form)
      await owner.fill('Margin in %', String(percent), form)
      await owner.press('Show the effect', form)
      await owner.read(form.locator('.fx'), 'Items with another price')
      await owner.press('Apply', form)
      await owner.see('Done. The shop shows it within seconds.')
      await expectPriceIn(
        ground,
        'USD',
        PAGE,
        new RegExp(`\\$${((100 + percent) / 100).toFixed(2)}`),
      )
      await owner.press('Take it back', form)
      await owner.see('Taken back: prices are as they were.')
    },
  },
  {
    name: 'currency',
    title: 'Take a currency off the shop, and put it back',
    way: 'Prices → Rounding → Change, the currency → untick → Show the effect → Apply; Take it back',
    hard: 'it stands with how a currency is rounded, not in Settings, where one may look first.',
    ends: 'in the shop, where nobody can choose it, and again can',
    async perform(ground) {
      expect(await isChosen(ground, 'CHF')).toBe(true)
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Prices')
      await owner.follow('Rounding and lowest price')
      await owner.press('Change CHF')
      const form = page.getByRole('region', { name: 'Change CHF' })
      await owner.tick('Offer this currency', form)
      await owner.press('Show the effect', form)
      await owner.read(form.locator('.fx'), 'approv')
      await owner.press('Apply', form)
      await owner.see('Done. The shop shows it within seconds.')
      await expect.poll(() => isChosen(ground, 'CHF'), { timeout: 60_000 }).toBe(false)
      await owner.press('Take it back', form)
      await owner.see('Taken back: prices are as they were.')
      await expect.poll(() => isChosen(ground, 'CHF'), { timeout: 60_000 }).toBe(true)
    },
  },
  {
    name: 'rate',
    title: 'Decide on an exchange rate that jumped',
    way: 'Prices → Exchange rates → the jump → Show the effect → Apply',
    ends: 'on a product’s page in the shop, in that currency',
    async perform(ground) {
      await sql(`update rate_quote set state = 'superseded' where state = 'held'`)
      await sql(
        `insert into rate_quote (id, source, currency, published_at, fetched_at, base, per_base, usd_per_base, state)
          values (uuidv7(), 'by-hand', 'AUD', now(), now(), 'USD', $1, 1, 'held')`,
        [`4.${Date.now() % 100}`],
      )
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Prices')
      await owner.follow(/^Exchange rates/)
      const held = page.locator('section.panel').filter({ hasText: 'AUD' }).first()
      await owner.read(held.locator('p').first())
      await owner.press('Show the effect', held)
      await owner.read(held.locator('.fx'), 'approv')
      await owner.press('Apply', held)
      await expectPriceIn(ground, 'AUD', '/cards/steam-us', /A?\$ ?2\d\.\d\d/)
    },
  },
]
