import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { supplySecret } from '../../../src/cli/start/running-sandboxes.ts'
import { dataDirectory, sql } from '../../e2e/buying/operator.ts'
import { openMailbox } from '../../e2e/mailbox.ts'
import { expectInShop, valueOf } from '../buying.ts'
import type { OwnerTask } from '../task.ts'

/** A mail that its server has refused again and again, until the worker gave it up. */
async function refuseMail(address: string, refusal: string): Promise<void> {
  const [mail] = await sql(
    `insert into outgoing_mail (id, kind, recipient, language, created_at) values (uuidv7(), 'test_letter', $1, 'en', now()) returning id`,
    [address],
  )
  const id = String(mail?.['id'])
  await sql(
    `select graphile_worker.add_job('send_mail', $1::json, job_key => $2, run_at => now() + interval '1 day')`,
    [JSON.stringify({ ids: [id] }), `mail:${id}`],
  )
  await sql(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = $2 where key = $1`,
    [`mail:${id}`, refusal],
  )
}

/** What works behind the shop. */
export const SYSTEM_TASKS: readonly OwnerTask[] = [
  {
    name: 'supplier',
    title: 'Connect a supplier, take in its catalogue and sell a product of it',
    way: 'Suppliers → the supplier → its key → Test → Save; Catalogue → Sync now → Drafts → Publish',
    ends: 'on the product’s page in the shop',
    hard: 'that the worker has read the catalogue is seen by opening the list of drafts again, which is not counted. A draft is named as the supplier names it.',
    async perform(ground) {
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Suppliers')
      await owner.follow('Kinguin')
      await owner.paste(
        'KINGUIN_API_KEY',
        supplySecret({ secretKey: undefined, dataDirectory: dataDirectory ?? '' }).reveal(),
      )
      await owner.press('Test and show effect')
      await owner.prove()
      await owner.read(page.locator('.fx').first(), 'Accepted by the service')
      await owner.press(/^Save/)
      await expect(page.getByText(/^Set on .* by demo/)).toBeVisible()
      await owner.follow('Catalogue')
      await owner.press('Sync now')
      await owner.see(/The worker starts within seconds/)
      await owner.follow(/^Drafts/)
      await expect(async () => {
        await page.reload()
        await expect(page.getByRole('row', { name: /Sandbox card 9003/ })).toBeVisible({
          timeout: 1_000,
        })
      }).toPass({ timeout: 60_000 })
      await owner.tick(page.getByRole('row', { name: /Sandbox card 9003/ }).getByRole('checkbox'))
      await owner.press('Publish selected')
      await owner.see('Done: 1')
      const product = await valueOf(
        `select i.product from supplier_product l join item i on i.id = l.item where l.supplier = 'kinguin' and l.name like '%9003%'`,
      )
      await expectInShop(ground, `/cards/${product}`, 'Sandbox card 9003')
    },
  },
  {
    name: 'health',
    title: 'See why a mail has not been sent, and send it again',
    way: 'System → Emails → its answer → try again',
    ends: 'in the mailbox that it goes to',
    hard: 'what the checks under Health find is in English, and some of it names a command of the terminal although a page of the console does the same.',
    async perform(ground) {
      const refusal = `550 5.7.1 relaying denied, ${ground.mark}`
      const address = `pat-${ground.mark.toLowerCase()}@shopper.example`
      await refuseMail(address, refusal)
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('System')
      await owner.follow('Emails')
      const row = page.getByRole('row').filter({ hasText: refusal })
      await owner.read(row, refusal)
      await owner.press('Retry', row)
      const mail = await openMailbox(ground.shopUrl, address).take()
      expect(mail.subject).not.toBe('')
    },
  },
  {
    name: 'webhook',
    title: 'Have a program told when something needs a person, and try it',
    way: 'Settings → Program for alerts, and its secret → Save',
    ends: 'at that program: the first signed message has arrived',
    hard: 'there is no press for a test. The first message goes out as soon as anything needs a person; in a shop where nothing does, it comes with the first such thing. The secret is made elsewhere, as with openssl: the page does not make one. Webhooks of resellers are made by the reseller, or by a command; their page in the console says so.',
    async perform(ground) {
      const heard: string[] = []
      const server = createServer((request, response) => {
        heard.push(String(request.headers['webhook-signature']))
        request.resume()
        response.end()
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${ground.mark}`
      try {
        const owner = await ground.sitDown()
        const { page } = owner
        await owner.go('Settings')
        await owner.paste(
          page.locator('[id="alerts.webhook_secret"]').getByRole('textbox'),
          `whsec_${'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'}`,
        )
        await owner.paste(page.locator('[id="alerts.webhook"]').getByRole('textbox'), address)
        const form = page.locator('form', { has: page.locator('[id="alerts.webhook"]') })
        await owner.read(form.locator('.fx'))
        await owner.press('Save', form)
        await owner.prove()
        await owner.see('Saved. The shop uses it')
        await expect.poll(() => heard.length, { timeout: 150_000 }).toBeGreaterThan(0)
        expect(heard[0]).toMatch(/^v1,/)
      } finally {
        server.close()
        await sql(`delete from setting where key = 'alerts'`)
      }
    },
  },
]
