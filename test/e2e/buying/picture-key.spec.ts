import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { archiveOf } from '../../support/archive.ts'
import { openConsole } from '../console/console.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { ageProof, dataDirectory, NO_OPERATOR, sql } from './operator.ts'
import { post } from '../people/shopper.ts'
import { newBuyer, payOverWire, statusOf } from './purchase.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

const SIDE = 120

for (const [language, screen] of [
  ['en', 'desktop'],
  ['ar', 'phone'],
] as const)
  test(`a key that is a picture comes in as an archive, is bought, and is seen by its buyer alone (${language})`, async ({
    page,
    browser,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const code = await emptyShelf(language)
    const desk = await browser.newPage({ baseURL: baseURL ?? '' })
    await openConsole(desk, `/keys/${code}`)
    await desk.locator('input[type=file]').setInputFiles({
      name: 'scans.zip',
      mimeType: 'application/zip',
      buffer: archiveOf([picture(SIDE), picture(SIDE), Buffer.from('no picture')]),
    })
    await desk.getByRole('button', { name: 'Check the keys' }).click()
    const found = desk.getByRole('region', { name: 'scans.zip' }).first()
    await expect(found).toContainText('New: 2')
    await expect(found).toContainText('Invalid: 1')
    await found.getByRole('button', { name: 'Take into stock: 2' }).click()
    await expect(desk.getByText('Taken into stock: 2.').first()).toBeVisible()
    await desk.close()

    const shopper = await newBuyer(page, baseURL ?? '', { language, isExamined: true })
    // The shop sells them a moment after they have come in.
    const lines = [{ item: code, quantity: 1, fields: {} }]
    const placed = { order: '', number: '' }
    await expect
      .poll(async () => {
        const answer = await post(shopper, 'order/create', { lines })
        const made = answer.data as { order?: string; order_no?: string } | null
        Object.assign(placed, { order: made?.order ?? '', number: made?.order_no ?? '' })
        return answer.code
      })
      .toBe(1)
    await payOverWire(shopper, placed)
    await expect.poll(() => statusOf(shopper, placed)).toBe('completed')
    await ageProof(shopper.email)
    await shopper.open(`/order/detail?order=${placed.order}`)
    await page
      .locator('main')
      .getByRole('link', { name: shopper.t('cardpwd.reveal') })
      .first()
      .click()
    await page.locator('#password').fill(shopper.password)
    await shopper.press(shopper.t('cardpwd.revealCode'))
    const shown = page.getByAltText(shopper.t('cardpwd.pictureAlt'))
    await expect(shown).toBeVisible()
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(SIDE)
    await shopper.examine()
    const address = (await shown.getAttribute('src')) ?? ''
    expect(address).toMatch(/^(?:data|blob):/)
    await page.reload()
    expect(await page.content()).not.toContain(address.slice(-80))
  })

/** The shelf of a card whose keys are pictures from now on, of a brand that no other journey buys. @returns its item's code */
async function emptyShelf(language: string): Promise<string> {
  const [row] = await sql(
    `select i.code, i.id, b.code as brand from item i join product p on p.code = i.product join brand b on b.code = p.brand
     where b.code = $1 and i.status = 'active' and p.status = 'active' order by i.code limit 1`,
    [language === 'en' ? 'adidas' : 'zalando'],
  )
  expect(row).toBeDefined()
  await sql(`update brand set key_format = $2::jsonb where code = $1`, [
    row?.['brand'],
    JSON.stringify({ parts: [{ name: 'image', pattern: '^.+$' }] }),
  ])
  // The demo fills its shelves as long as they are to hold something.
  await sql(`update item set stock = 0 where id = $1`, [row?.['id']])
  const empty = () =>
    sql(`update card_key set status = 'quarantined' where item = $1 and status = 'free'`, [
      row?.['id'],
    ])
  await empty()
  // A filling that was under way comes to its end.
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  await empty()
  return String(row?.['code'])
}

/** A square of noise as a PNG, like no other. */
function picture(side: number): Buffer {
  const part = (kind: string, bytes: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), bytes])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(bytes.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 8
  const lines = randomBytes(side * (side + 1))
  for (let line = 0; line < side; line += 1) lines[line * (side + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', head),
    part('IDAT', deflateSync(lines)),
    part('IEND', Buffer.alloc(0)),
  ])
}
