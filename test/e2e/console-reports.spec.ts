import { readFileSync } from 'node:fs'
import { unzipSync, strFromU8 } from 'fflate'
import { dataDirectory, NO_OPERATOR, sql, workNow } from './buying/operator.ts'
import { colleagueWho, consoleOf, demoOperator, examined, openConsole } from './console/console.ts'
import { openMailbox } from './mailbox.ts'
import { expect, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** The worker looks each minute, or when it is asked to. */
const MAILED_MS = 90_000
const REPORTS = [
  'sales',
  'margin',
  'refunds',
  'disputes',
  'suppliers',
  'keys',
  'credit',
  'tax',
  'delivery',
  'searches',
]

test('sales of last month against the month before are looked at, kept, mailed and taken as a workbook', async ({
  page,
  baseURL,
}, info) => {
  test.setTimeout(4 * MAILED_MS)
  const name = `Sales of last month ${info.project.name} ${process.pid}`
  const address = `reports-${info.project.name}-${process.pid}@desk.example`
  const { name: owner } = demoOperator()
  const [before] = await sql('select email from operator where name = $1', [owner])
  await sql('update operator set email = $2 where name = $1', [owner, address])
  try {
    await openConsole(page, '/reports')
    await page.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Month' })
    await page.getByRole('combobox', { name: 'Split by' }).selectOption({ label: 'Country' })
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page).toHaveURL(/by=country/)
    const earlier = page.getByRole('link', { name: 'Earlier' })
    await expect(earlier).toHaveAttribute('href', /by=country/)
    await earlier.click()
    await expect(page).toHaveURL(/ago=1/)
    await expect(page.getByText('compared with')).toBeVisible()
    // The page of the month before is there: only it has one after it.
    await expect(page.getByRole('link', { name: 'Later' })).toBeVisible()

    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const row = page.getByRole('listitem').filter({ hasText: name })
    await row.getByRole('combobox').selectOption({ label: 'Email daily' })
    await expect(row.getByText('next email')).toBeVisible()

    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download XLSX' }).click()
    const download = await file
    expect(download.suggestedFilename()).toMatch(/^sales-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.xlsx$/)
    const sheet = unzipSync(readFileSync(await download.path()))['xl/worksheets/sheet1.xml']
    expect(strFromU8(sheet ?? new Uint8Array())).toContain('sales_before')

    // Its morning has come.
    await sql(
      `update report_mail set next_at = now() from saved_report s where s.id = report_id and s.name = $1`,
      [name],
    )
    await workNow('mail_reports')
    const mail = await openMailbox(baseURL ?? '', address).take()
    expect(mail.subject).toContain(name)
    const link = new URL(mail.links.find((one) => one.includes('/console/reports')) ?? '')
    await page.goto(link.pathname + link.search)
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
    await expect(page.getByRole('combobox', { name: 'Split by' })).toHaveValue('country')

    await page.getByRole('button', { name: `Remove “${name}”` }).click()
    await expect(page.getByRole('listitem').filter({ hasText: name })).toHaveCount(0)
  } finally {
    await sql('update operator set email = $2 where name = $1', [owner, before?.['email'] ?? null])
  }
})

test('who may read products and nothing of money sees the searches alone', async ({
  browser,
  baseURL,
}, info) => {
  const clerk = await colleagueWho(`clerk-${info.project.name}`, ['product.read'])
  const desk = await consoleOf(browser, baseURL, '/reports?report=sales', clerk)
  const tabs = desk.getByRole('navigation', { name: 'Reports' }).getByRole('link')
  await expect(tabs).toHaveText(['Searches without a result'])
  await expect(desk.getByRole('link', { name: 'Download XLSX' })).toHaveCount(0)
  await desk.context().close()
})

test('what nobody found stands in the report, and a code does not', async ({ page, baseURL }) => {
  test.setTimeout(2 * MAILED_MS)
  const words = `qzxv ${process.pid % 1_000} wobble`
  await page.goto(`${baseURL}/search?keywords=${encodeURIComponent(words)}`)
  await page.goto(`${baseURL}/search?keywords=QZXV-1234-ABCD`)
  await openConsole(page, '/reports?report=searches&period=day')
  await expect
    .poll(async () => {
      await page.goto('/console/reports?report=searches&period=day')
      return page.getByRole('cell', { name: words }).count()
    })
    .toBe(1)
  await expect(page.getByText(/qzxv-1234/i)).toHaveCount(0)
})

test('every report is accessible and fits every screen, whatever is chosen', async ({
  page,
  misdeeds,
}) => {
  await openConsole(page, '/reports')
  for (const [index, report] of REPORTS.entries()) {
    const period = ['day', 'week', 'month', 'quarter', 'year'][index % 5]
    await page.goto(
      `/console/reports?report=${report}&period=${period}&ago=${index % 2}&compare=${index % 3 === 0 ? 'year' : 'before'}`,
    )
    await expect(page.locator('h1')).toHaveCount(1)
    for (const summary of await page.locator('.astable > summary').all()) await summary.click()
    await examined(page)
  }
  await page.goto(
    '/console/reports?report=tax&period=span&from=2026-03-02&until=2026-03-01&currency=XYZ&by=moon',
  )
  await expect(page.getByRole('alert')).toContainText('Choose a last day on or after the first day')
  await expect(page.getByLabel('Until')).toHaveValue('2026-03-01')
  await examined(page)
  expect(misdeeds.consoleErrors).toEqual([])
})
