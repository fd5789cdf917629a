import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { colleague, consoleOf, examined } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** A product of a journey's own, with two steps to redeem it by. @returns its code, and the first of its items */
async function ownProduct(name: string) {
  // Tried again, a journey finds nothing of its first attempt.
  const code = `edited-${name}-${Date.now().toString(36)}`
  await sql(
    `insert into brand (code, kind, type, name, delivery, redeem_steps, status, source)
      values ($1::text, 'gift_card', 1, $2::text, 'card_key', array['Open the app of ' || $1::text || '.', 'Enter the code of ' || $1::text || '.'], 'active', 'catalogue:edited') on conflict do nothing`,
    [code, `Edited ${name}`],
  )
  await sql(
    `insert into product (code, brand, region, position, status, source) select $1::text, $1::text, code, 0, 'active', 'catalogue:edited' from region order by position limit 1 on conflict do nothing`,
    [code],
  )
  await sql(
    `insert into item (id, code, product, kind, name, price_minor, price_currency, cost_minor, cost_currency, stock, position, source, updated_at)
      select uuidv7(), 'card:' || $1::text || ':all:' || n, $1::text, 'edition', 'Edition ' || n, 1000 + n, 'USD', 900, 'USD', 5, n, 'catalogue:edited', now() from generate_series(1, 2) as n on conflict do nothing`,
    [code],
  )
  return { code, item: `card:${code}:all:1` }
}

test('a product is changed on its page: told, in the shop within two seconds, freed and taken back', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const { code, item } = await ownProduct(isMobile ? 'phone' : 'desk')
  const inShop = async (path = '') => (await page.request.get(`${path}/cards/${code}`)).text()
  await expect.poll(async () => inShop()).toContain('10.01')
  const desk = await consoleOf(browser, baseURL, `/products/${code}`)
  await examined(desk)
  await desk.getByLabel('Name', { exact: true }).fill('Edited anew')
  await desk.getByRole('link', { name: /^Items and prices/ }).click()
  await desk.getByRole('textbox', { name: 'Price of Edition 1', exact: true }).fill('12.34')
  await desk.getByRole('textbox', { name: 'Price of Edition 1', exact: true }).press('Tab')
  await expect(desk.getByText('Changes not saved: 2').first()).toBeVisible()
  await expect(desk.locator('.fx').getByText('$12.34')).toBeVisible()
  await examined(desk)
  await desk.getByRole('button', { name: 'Save changes: 2' }).click()
  await expect(desk.getByText('Changes saved: 2')).toBeVisible()
  await expect.poll(async () => inShop(), { intervals: [100] }).toContain('12.34')
  expect(await inShop()).toContain('Edited anew')

  await desk.getByRole('link', { name: 'Edition 1' }).click()
  await expect(desk.getByRole('link', { name: 'Why this price?' })).toBeVisible()
  await examined(desk)
  await desk.getByRole('link', { name: 'Facts' }).click()
  await desk.getByRole('button', { name: 'Let imports change it again Name' }).click()
  await expect
    .poll(async () => (await sql('select locked_fields from brand where code = $1', [code]))[0])
    .toEqual({ locked_fields: [] })

  await desk.getByRole('link', { name: 'History' }).click()
  await expect(desk.getByText('Edited anew').first()).toBeVisible()
  await examined(desk)
  await desk.getByRole('button', { name: /^Undo/ }).first().click()
  await desk.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => inShop()).toContain('10.01')
  const [row] = await sql('select locked_fields from item where code = $1', [item])
  expect(row).toEqual({ locked_fields: [] })
})

test('a product gets another address: the old one leads there in every language, and it is given back', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const { code } = await ownProduct(isMobile ? 'address-phone' : 'address')
  const moved = `${code}-moved`
  const at = async (path: string) => {
    const answer = await page.request.get(path, { maxRedirects: 0 })
    return { status: answer.status(), to: answer.headers()['location'] ?? null }
  }
  await expect.poll(() => at(`/cards/${code}`)).toEqual({ status: 200, to: null })
  const desk = await consoleOf(browser, baseURL, `/products/${code}`)
  const panel = desk.getByRole('region', { name: 'Address in the shop' })
  const field = panel.getByLabel('Code in the address')
  await field.fill('Not an Address')
  await panel.getByRole('button', { name: 'See what changes' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveValue('Not an Address')
  await field.fill(moved)
  await panel.getByRole('button', { name: 'See what changes' }).click()
  await expect(panel.getByRole('status')).toContainText(`These lead there too: ${code}.`)
  await examined(desk)
  await panel.getByRole('button', { name: 'Change the address' }).click()
  await desk.waitForURL(`**/products/${moved}`)
  await expect(panel.getByRole('list')).toContainText(code)
  await expect.poll(() => at(`/cards/${moved}`)).toEqual({ status: 200, to: null })
  expect(await at(`/cards/${code}`)).toEqual({ status: 301, to: `/cards/${moved}` })
  expect(await at(`/ar/cards/${code}`)).toEqual({ status: 301, to: `/ar/cards/${moved}` })
  await examined(desk)

  await panel.getByRole('button', { name: `Undo ${code}` }).click()
  await expect(panel.getByRole('status')).toContainText(moved)
  await panel.getByRole('button', { name: 'Change the address' }).click()
  await desk.waitForURL(`**/products/${code}`)
  await expect.poll(() => at(`/cards/${code}`)).toEqual({ status: 200, to: null })
  expect(await at(`/cards/${moved}`)).toEqual({ status: 301, to: `/cards/${code}` })
  await desk.getByRole('link', { name: 'History' }).click()
  await expect(desk.getByText('Code in the address').first()).toBeVisible()
})

test('two people on one product: other fields merge, the same one is chosen', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const { code } = await ownProduct('two')
  const mine = await consoleOf(browser, baseURL, `/products/${code}`)
  const theirs = await consoleOf(
    browser,
    baseURL,
    `/products/${code}`,
    await colleague('catalogue'),
  )
  await mine.getByLabel('Publisher').fill('Mine')
  await mine.getByLabel('Year of release').fill('2001')
  await expect(mine.getByRole('button', { name: 'Save changes: 2' })).toBeEnabled()
  await theirs.getByLabel('Publisher').fill('Theirs')
  await theirs.getByLabel('Popularity').fill('77')
  await theirs.getByRole('button', { name: 'Save changes: 2' }).click()
  await expect(theirs.getByText('Changes saved: 2')).toBeVisible()
  await mine.getByRole('button', { name: 'Save changes: 2' }).click()
  const meeting = mine.getByRole('alert').filter({ hasText: 'Changed by someone else: Theirs' })
  await expect(meeting).toBeVisible()
  await expect(mine.getByLabel('Publisher')).toHaveValue('Mine')
  await meeting.getByRole('button', { name: 'Keep mine' }).click()
  await mine.getByRole('button', { name: 'Save changes: 2' }).click()
  await expect
    .poll(
      async () =>
        (
          await sql('select publisher, released_year, popularity from brand where code = $1', [
            code,
          ])
        )[0],
    )
    .toEqual({ publisher: 'Mine', released_year: 2001, popularity: 77 })
})

test('a text is translated beside its English, and told where the English moves on', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const { code } = await ownProduct(isMobile ? 'texts-phone' : 'texts')
  const desk = await consoleOf(browser, baseURL, `/products/${code}?view=texts&languages=de,ar`)
  const german = desk.getByLabel('Step 2 · Deutsch')
  await expect(german).toHaveAccessibleDescription('Missing. Shoppers see the English text.')
  await examined(desk)
  await german.fill(`Gib den Code von ${code} ein.`)
  await desk.getByLabel('Name · العربية', { exact: true }).fill('معدّل')
  await desk.getByRole('button', { name: 'Save changes: 2' }).click()
  await expect(desk.getByText('Changes saved: 2')).toBeVisible()
  await expect
    .poll(async () => (await page.request.get(`/de/cards/${code}`)).text(), { intervals: [100] })
    .toContain(`Gib den Code von ${code} ein.`)
  await expect
    .poll(async () => (await page.request.get(`/ar/cards/${code}`)).text())
    .toContain('معدّل')

  await desk.getByLabel('Step 2', { exact: true }).fill(`Type the code of ${code}.`)
  await desk.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(german).toHaveAccessibleDescription(/English changed after the translation/)
  expect(await (await page.request.get(`/de/cards/${code}`)).text()).toContain('Gib den Code')
  await expect(desk.getByText(`Enter the code of ${code}.`).last()).toBeVisible()
  await desk.getByRole('button', { name: 'Still right Step 2 · Deutsch' }).click()
  await desk.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(german).toHaveAccessibleDescription('')

  await desk.getByRole('link', { name: 'Facts' }).click()
  await desk.getByLabel('Page title').fill(`${code} at once`)
  await desk.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect
    .poll(async () => (await page.request.get(`/cards/${code}`)).text(), { intervals: [100] })
    .toContain(`<title>${code} at once`)
})
