import { expect } from '@playwright/test'
import { orderOverWire } from '../../e2e/buying/purchase.ts'
import { buyerOf, expectInShop, valueOf } from '../buying.ts'
import type { Ground, OwnerTask } from '../task.ts'

const codes = (mark: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${mark.slice(-5)}-AAAAA-${String(at).padStart(5, '0')}`)

const freeOf = (item: string) =>
  valueOf(
    `select count(*)::text from card_key k join item i on i.id = k.item where i.code = $1 and k.status = 'free'`,
    [item],
  )

async function openShelf({
  owner,
  search,
}: {
  owner: Awaited<ReturnType<Ground['sitDown']>>
  search: string
}) {
  await owner.go('Card keys')
  await owner.fill(owner.page.locator('#main').getByRole('searchbox'), search)
  await owner.key('Enter')
  await expect(owner.page).toHaveURL(/q=/)
}

/** Codes of cards. */
export const KEY_TASKS: readonly OwnerTask[] = [
  {
    name: 'keys-in',
    title: 'Put keys from a supplier’s mail on a shelf, one line of them badly formed',
    way: 'Card keys → find the shelf → paste → Check the keys → Take into stock',
    ends: 'on the shelf’s page, and with a buyer who can order that many',
    async perform(ground) {
      const item = 'card:steam:us:75'
      const before = Number(await freeOf(item))
      const owner = await ground.sitDown()
      const { page } = owner
      await openShelf({ owner, search: item })
      await owner.click(page.locator(`#main td a[href$="${item}"]`))
      await owner.paste(
        'Or paste keys',
        [...codes(ground.mark, 3), 'Thank you for your order!'].join('\n'),
      )
      await owner.fill('Supplier', 'K-Hub')
      await owner.fill('Cost of one key', '70')
      await owner.press('Check the keys')
      const found = page.getByRole('region', { name: 'pasted.txt' }).first()
      await expect(found).toContainText('New: 3')
      await owner.read(found, 'Invalid: 1')
      await owner.press('Take into stock: 3', found)
      await owner.see('Taken into stock: 3.')
      await expect.poll(async () => Number(await freeOf(item))).toBe(before + 3)
      const buyer = await buyerOf(ground)
      await orderOverWire(buyer, { item, quantity: 1 })
    },
  },
  {
    name: 'keys-out',
    title: 'Take a bad batch of keys out of stock',
    way: 'Card keys → the shelf → the batch → Quarantine → reason → Quarantine',
    ends: 'in the shop, where the product is sold out: nobody can order what it held',
    async perform(ground) {
      const item = await valueOf(
        `select i.code from item i join card_key k on k.item = i.id and k.status = 'free' join product p on p.code = i.product
          where p.status = 'active' and i.status = 'active' and p.brand <> 'steam' and p.code like '%-us' group by i.code
          having count(distinct k.batch_id) = 1 order by i.code limit 1`,
      )
      const owner = await ground.sitDown()
      const { page } = owner
      await openShelf({ owner, search: item })
      await owner.click(page.locator(`#main td a[href$="${item}"]`))
      await expect(page).toHaveURL(new RegExp(`/keys/${item}$`))
      await owner.see(page.getByRole('heading', { name: 'Batches' }))
      await owner.click(page.locator('#main tbody a').first())
      await owner.see(page.getByRole('button', { name: 'Quarantine', exact: true }))
      await owner.press('Quarantine')
      await owner.fill(/^Reason/, `The supplier withdrew them ${ground.mark}`)
      await owner.read(page.locator('.fx').first())
      await owner.press(
        'Quarantine',
        page.locator('form').filter({ has: page.getByLabel(/^Reason/) }),
      )
      await expect.poll(() => freeOf(item)).toBe('0')
      const product = await valueOf('select product from item where code = $1', [item])
      await expectInShop(ground, `/cards/${product}`, 'old out')
    },
  },
]
