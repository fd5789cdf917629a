import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, test } from '../page-checks.ts'
import { consoleOf, examined } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** A product of a journey's own. @returns its code */
async function ownProduct(name: string): Promise<string> {
  // Tried again, a journey finds nothing of its first attempt.
  const code = `pictured-${name}-${Date.now().toString(36)}`
  await sql(
    `insert into picture (code, kind, recipe) values ('brand/' || $1::text, 'cover', jsonb_build_object('name', $2::text, 'kind', 'gift', 'tag', 'OLD'))`,
    [code, `Pictured ${name}`],
  )
  await sql(
    `insert into brand (code, kind, type, name, delivery, status, source, picture)
      values ($1::text, 'gift_card', 1, $2::text, 'card_key', 'active', 'catalogue:pictured', 'brand/' || $1::text)`,
    [code, `Pictured ${name}`],
  )
  await sql(
    `insert into product (code, brand, region, position, status, source, picture) select $1::text, $1::text, code, 0, 'active', 'catalogue:pictured', 'brand/' || $1::text from region order by position limit 1`,
    [code],
  )
  await sql(
    `insert into item (id, code, product, kind, name, price_minor, price_currency, stock, position, source, updated_at)
      values (uuidv7(), 'card:' || $1::text || ':all:1', $1::text, 'edition', 'Edition 1', 1001, 'USD', 5, 1, 'catalogue:pictured', now())`,
    [code],
  )
  return code
}

/** What will happen is told, and may be saved. */
async function toldWhole(desk: Page): Promise<void> {
  await expect(desk.locator('.fx li').first()).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Save changes: 1' })).toBeEnabled()
}

/** Red on its left half, blue on its right. */
async function halves(): Promise<Buffer> {
  const half = (background: string) =>
    sharp({ create: { width: 600, height: 800, channels: 3, background } })
      .png()
      .toBuffer()
  return sharp({ create: { width: 1_200, height: 800, channels: 3, background: '#0000ff' } })
    .composite([{ input: await half('#ff0000'), left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer()
}

test('a picture is uploaded and cut, shown by the shop, and taken back; what is none is told at its place', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const code = await ownProduct(isMobile ? 'sent-phone' : 'sent')
  /** Address of the product's picture on its page in the shop. */
  const inShop = async () =>
    new RegExp(`/img/goods_thumb_[^"]*/(?:product|brand)/${code}[^"\\s]*`)
      .exec(await (await page.request.get(`/cards/${code}`)).text())?.[0]
      .replaceAll('&amp;', '&') ?? ''
  await expect.poll(inShop).toContain(`brand/${code}.svg`)
  const desk = await consoleOf(browser, baseURL, `/products/${code}?view=pictures`)
  const panel = desk.getByRole('region', { name: 'Product' })
  await expect(panel.getByText('The brand’s picture', { exact: true })).toBeVisible()
  await examined(desk)

  const upload = panel.getByLabel('Upload a picture')
  await upload.setInputFiles({
    name: 'drawing.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  })
  await expect(panel.getByRole('alert')).toHaveText('Incorrect upload format')
  await expect(desk.getByText(/Changes not saved/)).toHaveCount(0)

  await upload.setInputFiles({
    name: 'halves.jpg',
    mimeType: 'image/jpeg',
    buffer: await halves(),
  })
  await expect(panel.getByRole('alert')).toHaveCount(0)
  await panel.getByLabel('Zoom in Square, 1:1').fill('200')
  const across = panel.getByLabel('Left or right Square, 1:1')
  await across.focus()
  await across.press('End')
  await expect(panel.getByText('This part is small')).toBeVisible()
  await toldWhole(desk)
  await examined(desk)
  await desk.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(desk.getByText('Changes saved: 1')).toBeVisible()
  await expect.poll(inShop, { intervals: [100] }).toContain(`product/${code}.`)
  const square = await page.request.get(
    (await inShop()).replace(/goods_thumb_\d_\d/, 'goods_thumb_1_1'),
  )
  expect(square.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
  const { dominant } = await sharp(await square.body()).stats()
  expect(dominant.b).toBeGreaterThan(200)
  expect(dominant.r).toBeLessThan(50)

  await desk.getByRole('link', { name: 'History' }).click()
  await expect(desk.getByText(/^Uploaded picture · [0-9a-f]{8}$/)).toBeVisible()
  await desk.getByRole('button', { name: /^Undo/ }).first().click()
  await desk.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(inShop).toContain(`brand/${code}.svg`)
})

test('the frame is dragged over a picture', async ({ browser, baseURL, isMobile }) => {
  const code = await ownProduct(isMobile ? 'frame-phone' : 'frame')
  const desk = await consoleOf(browser, baseURL, `/products/${code}?view=pictures`)
  const panel = desk.getByRole('region', { name: 'Product' })
  await panel.getByLabel('Upload a picture').setInputFiles({
    name: 'halves.jpg',
    mimeType: 'image/jpeg',
    buffer: await halves(),
  })
  const across = panel.getByLabel('Left or right Upright, 3:4')
  const before = Number(await across.inputValue())
  const frame = panel.locator('.frame').first()
  await frame.scrollIntoViewIfNeeded()
  const box = await frame.boundingBox()
  if (!box) throw new Error('no frame')
  await desk.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await desk.mouse.down()
  await desk.mouse.move(box.x + box.width / 2 - 500, box.y + box.height / 2, { steps: 4 })
  await desk.mouse.up()
  expect(before).toBeGreaterThan(0)
  await expect(across).toHaveValue('0')
})

test('a cover is drawn with another motif, colours and tag for a brand and all its products', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const code = await ownProduct(isMobile ? 'drawn-phone' : 'drawn')
  const drawing = async () =>
    (await page.request.get(`/img/goods_thumb_3_4/brand/${code}.svg`)).text()
  await expect.poll(drawing).toContain('<svg')
  const before = await drawing()
  const desk = await consoleOf(browser, baseURL, `/products/${code}?view=pictures`)
  const panel = desk.getByRole('region', { name: 'Brand' })
  const shown = panel.locator('.pics img').first()
  const first = (await shown.getAttribute('src')) ?? ''
  await panel.getByRole('button', { name: 'Draw a cover' }).click()
  await panel.getByRole('radio', { name: 'Design 12', exact: true }).check()
  await expect(shown).not.toHaveAttribute('src', first)
  await panel.getByRole('radio', { name: 'Colours 9', exact: true }).check()
  await panel.getByLabel('Region or currency label').fill('ÄÖ')
  await expect(panel.getByRole('alert').first()).toBeVisible()
  await panel.getByLabel('Region or currency label').fill('NEW')
  await panel.getByLabel('Lettering').fill('ONE\nTWO')
  await expect(panel.getByRole('alert')).toHaveCount(0)
  await toldWhole(desk)
  await examined(desk)
  await desk.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(desk.getByText('Changes saved: 1')).toBeVisible()
  await expect.poll(drawing, { intervals: [100] }).not.toBe(before)
  const [row] = await sql(
    'select p.recipe ->> $2 as tag, p.design -> $3 as lines, b.locked_fields from picture p join brand b on b.picture = p.code where b.code = $1',
    [code, 'tag', 'lines'],
  )
  expect(row).toEqual({ tag: 'NEW', lines: ['ONE', 'TWO'], locked_fields: ['picture'] })
})
