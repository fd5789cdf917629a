import { expect } from '@playwright/test'
import { expectInShop } from '../buying.ts'
import { openMailbox } from '../../e2e/mailbox.ts'
import type { OwnerTask } from '../task.ts'

/** What the shop says of itself. */
export const SHOP_TASKS: readonly OwnerTask[] = [
  {
    name: 'identity',
    title: 'Change the shop’s name, company, address and support hours',
    way: 'Settings → Identity → Save',
    ends: 'in the footer of the shop, and its hours on the page of contacts',
    async perform(ground) {
      const [name, company] = [`Harbour ${ground.mark}`, `Harbour Goods ${ground.mark} Ltd`]
      const owner = await ground.sitDown()
      const { page, fill, go, press } = owner
      await go('Settings')
      await fill('Name of the shop', name)
      await fill('Company', company)
      await fill('Postal address', `9 Quay Street ${ground.mark}, Bristol BS1 4DJ`)
      const hours = page.locator('[id="shop.support_hours"]')
      const from = (await hours.getByLabel('From').inputValue()) === '08:15' ? '08:45' : '08:15'
      await fill(hours.getByLabel('From'), from)
      const form = page.getByRole('form', { name: 'shop', exact: true })
      await owner.read(form.locator('.fx'), name)
      await press('Save', form)
      await owner.see('Saved. The shop uses it')
      await expectInShop(ground, '/', name)
      await expectInShop(ground, '/', company)
      await expectInShop(ground, '/', `9 Quay Street ${ground.mark}`)
      await expectInShop(ground, '/contact-us', from)
    },
  },
  {
    name: 'legal',
    title: 'See which legal texts are the shop’s own, and change one',
    way: 'Settings → Legal texts → Legal notice → Save',
    ends: 'on the shop’s page of that text',
    hard: 'the texts stand in the guide of the first run. Whether one is still the sample is seen once it is unfolded.',
    async perform(ground) {
      const owner = await ground.sitDown()
      const { page, paste, press } = owner
      await owner.go('Settings')
      await owner.follow('Legal texts')
      const notice = page.locator('details.legal').filter({
        has: page.getByRole('form', { name: 'Legal notice', includeHidden: true }),
      })
      await owner.unfold('Legal notice')
      const words = `Harbour Goods is entered as number ${ground.mark}.`
      const text = notice.getByLabel('Text', { exact: true })
      await paste(text, `${await text.inputValue()}\n\n${words}`)
      await press('Save', notice)
      await expect(notice.getByText('Saved. The shop uses it')).toBeVisible()
      await expectInShop(ground, '/article/legal-provisions', words)
    },
  },
  {
    name: 'thai',
    title: 'Reword a text of the shop and one of a mail, in Thai',
    way: 'Settings → Texts → find it in Thai → Save, twice',
    hard: 'a text is found by words of any language or by its key; a short word such as “Cart” finds many, so that the key is quicker. Which page a text stands on is not shown.',
    ends: 'on the shop’s page in Thai, and in the mail that somebody gets who registers in Thai',
    async perform(ground) {
      const owner = await ground.sitDown()
      const { page, fill, choose, press } = owner
      await owner.go('Settings')
      await owner.follow('Texts')
      const search = page.locator('#main').getByRole('searchbox')
      const reword = async (english: string, key: string, words: string) => {
        await fill(search, english)
        await press('Show')
        const form = page.locator(`[id="${key}"]`)
        await fill(form.getByRole('textbox'), words)
        await owner.read(form.locator('.fx'), words)
        await press('Save', form)
        await expect(form.getByText('Saved. The shop uses it')).toBeVisible()
      }
      await choose('Language', { value: 'th' })
      await reword('shell.cart', 'shell.cart', `ถุงของเรา ${ground.mark}`)
      const mail = 'mail.ignore'
      await reword('ignore this email', mail, `ไม่ต้องทำอะไร ${ground.mark}`)
      await expectInShop(ground, '/th', `ถุงของเรา ${ground.mark}`)
      const account = `somchai-${ground.mark.toLowerCase()}@shopper.example`
      await fetch(`${ground.shopUrl}/api/user/send_code?lang=th`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'register', account }),
      })
      const { text } = await openMailbox(ground.shopUrl, account).take()
      expect(text).toContain(`ไม่ต้องทำอะไร ${ground.mark}`)
    },
  },
]
