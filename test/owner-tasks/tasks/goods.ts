import { expect } from '@playwright/test'
import { valueOf, expectInShop } from '../buying.ts'
import type { OwnerTask } from '../task.ts'

/** What is sold. */
export const GOODS_TASKS: readonly OwnerTask[] = [
  {
    name: 'new-product',
    title: 'Add a product that the shop never had, and put it on sale',
    way: 'Products → Add a product → Check → Add as a draft → Put on sale',
    ends: 'on its page in the shop, with its price',
    async perform(ground) {
      const name = `Sunrise Card ${ground.mark}`
      const path = `/cards/${name.toLowerCase().replaceAll(' ', '-')}-us`
      const owner = await ground.sitDown()
      const { fill, choose, press, page } = owner
      await owner.go('Products')
      await owner.follow('Add a product')
      await fill('Name, in English', name)
      await choose('Region', { value: 'us' })
      await fill('Value (USD)', '10')
      await fill('Price (USD)', '9.50')
      await fill('Stock', '4')
      await press('Check')
      await owner.read(page.getByText('New items: 1').first())
      await press('Add as a draft')
      await owner.see(page.getByRole('heading', { name: 'Added as a draft' }))
      await press('Put on sale')
      await owner.see(page.getByRole('heading', { name: 'On sale now' }))
      await expectInShop(ground, path, name)
      await expectInShop(ground, path, '9.50')
    },
  },
  {
    name: 'stop',
    title: 'Stop selling a product at once, and see in the trail who stopped it',
    way: 'Products → find it → Stop selling → Stop selling; Audit',
    hard: 'the reason is asked for before, as the trail keeps it: on the product’s page it takes one press, a reason, and one press.',
    ends: 'on its page in the shop, which sells it no more, and in the trail',
    async perform(ground) {
      const code = await valueOf(
        `select p.code from product p join brand b on b.code = p.brand where b.kind = 'gift_card' and p.status = 'active'
          and not exists (select from sale_stop s where s.code = p.code) order by p.code desc limit 1`,
      )
      const shop = await ground.window()
      const told = shop.getByText('Not on sale right now')
      await shop.goto(`/cards/${code}`)
      await expect(told).toHaveCount(0)
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Products')
      await owner.fill(page.locator('#main').getByRole('searchbox'), code)
      await owner.key('Enter')
      await owner.follow(
        /./,
        page.getByRole('row', { name: new RegExp(`^Select all of .*${code}$`) }),
      )
      await owner.follow('Stop selling')
      await owner.fill(/^Reason/, `Codes are reported faulty ${ground.mark}`)
      await owner.press('Stop selling')
      await owner.see(page.getByRole('region', { name: new RegExp(code) }))
      await expect
        .poll(
          async () => {
            await shop.goto(`/cards/${code}`)
            return told.count()
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThan(0)
      await owner.go('Audit')
      const entry = page.locator('ol.inbox li').filter({ hasText: code }).first()
      await owner.read(entry, 'demo')
      await owner.unfold('Before and after', entry)
      await expect(entry).toContainText(ground.mark)
    },
  },
]
