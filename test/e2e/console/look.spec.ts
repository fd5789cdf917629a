import type { Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR } from '../buying/operator.ts'
import { expect, test } from '../page-checks.ts'
import { examined, openConsole } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** What Chromium says of a page in a frame that may run no script. */
test.beforeEach(
  ({ misdeeds }) => void misdeeds.expected.push(/^Blocked script execution in '[^']*[?&]look=/),
)

const BLUE = '#0b5fd8'
const FILE = {
  format: 'lukado-theme/1',
  theme: { light: { accent: BLUE, on_accent: '#ffffff' }, corners: 'round' },
}

const colour = (page: Page, scheme: string, name: string) =>
  page.locator(`[id="theme.${scheme}"]`).getByRole('textbox', { name, exact: true })

/** Address of the shop's own stylesheet, as its pages have it; null for none. */
async function stylesheetOf(page: Page): Promise<string | null> {
  const html = await (await page.request.get('/top-up')).text()
  return /href="(\/theme\/[\w-]{22}\.css)"/.exec(html)?.[1] ?? null
}

test('a colour that nobody can read is refused at its place, with the pair named', async ({
  page,
}) => {
  await openConsole(page, '/settings/look')
  await examined(page)
  const words = colour(page, 'light', 'Text on the main colour')
  await words.fill('#ffffff')
  const fault = page.getByText('The contrast with #ffd21f is 1.44:1.').first()
  await expect(fault).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(fault).toBeVisible()
  await expect(words).toHaveValue('#ffffff')
  await examined(page)
  await colour(page, 'light', 'Main colour').fill(BLUE)
  await expect(fault).toHaveCount(0)
  await expect(page.locator('.fx')).toContainText(`Main colour ${BLUE}`)
})

test('five pages are looked at in colours that are not kept, by the console alone', async ({
  page,
}) => {
  await openConsole(page, '/settings/look')
  await colour(page, 'light', 'Main colour').fill(BLUE)
  await colour(page, 'light', 'Text on the main colour').fill('#ffffff')
  const frames = page.locator('.shot iframe')
  await expect(frames).toHaveCount(5)
  const read = async () => {
    const address = (await frames.first().getAttribute('src')) ?? ''
    const answer = await page.request.get(address)
    const css = /href="(\/theme\/look-[\w-]+\.css)"/.exec(await answer.text())?.[1]
    return { answer, css: css === undefined ? '' : await (await page.request.get(css)).text() }
  }
  await expect.poll(async () => (await read()).css).toContain(`--tag:${BLUE}`)
  const { answer } = await read()
  expect(answer.headers()['x-frame-options']).toBeUndefined()
  expect(answer.headers()['content-security-policy']).toMatch(/frame-ancestors 'self'/)
  expect(answer.headers()['cache-control']).toBe('no-store')
  const plain = await page.request.get('/top-up')
  expect(plain.headers()['x-frame-options']).toBe('DENY')
  // What nobody has sealed is no look: the page is as any other.
  const made = await page.request.get(`/top-up?look=${'A'.repeat(80)}`)
  expect(made.headers()['x-frame-options']).toBe('DENY')
  expect(await made.text()).not.toContain('/theme/look-')
})

test('a look is read from a file, kept, seen in the shop, and taken back', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'changes what a journey in another window would change at the same time')
  await openConsole(page, '/settings/look')
  const file = page.getByLabel('Read from a file')
  const give = (text: string) =>
    file.setInputFiles({
      name: 'theme.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
  await give('{"format": "another"}')
  await expect(page.getByText('This isn’t a look file.')).toBeVisible()
  await give(JSON.stringify(FILE))
  await expect(page.locator('.fx')).toContainText('Soft')
  await expect(page.locator('.fx')).toContainText('Round')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved. The shop uses it')).toBeVisible()
  await expect.poll(() => stylesheetOf(page)).not.toBeNull()
  const sheet = await page.request.get((await stylesheetOf(page)) ?? '')
  expect(sheet.headers()['cache-control']).toContain('immutable')
  expect(await sheet.text()).toContain(`--tag:${BLUE}`)
  for (const part of ['light', 'corners']) {
    const place = page.locator(`[id="theme.${part}"]`)
    await place.getByText('Earlier values').click()
    await place.locator('details').getByRole('button').first().click()
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => stylesheetOf(page)).toBeNull()
})
