import { codeIn, openMailbox } from './mailbox.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './page-checks.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the demo's mailbox shows what was sent, on a ${colorScheme} screen`, async ({
    page,
    request,
    baseURL,
  }, info) => {
    await page.emulateMedia({ colorScheme })
    const address = `box-${info.project.name}-${colorScheme}@shopper.example`
    const asked = await request.post(`${baseURL}/api/user/send_code?lang=ar`, {
      data: { type: 'register', account: address },
    })
    expect(await asked.json()).toMatchObject({ code: 1 })
    const mail = await openMailbox(baseURL ?? '', address).take()
    const link = mail.links.find((found) => found.includes('?key=')) ?? ''
    expect(codeIn(mail)).toHaveLength(6)

    await page.goto(`/sandbox/mail?to=${address}`)
    await expect(page.getByText('nothing here was sent')).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
    await page.locator('.mails a').click()
    await expect(page.frameLocator('iframe').getByText(codeIn(mail))).toBeVisible()
    await expect(page.frameLocator('iframe').locator('html')).toHaveAttribute('dir', 'rtl')
    await expectNoOverflow(page)
    await expect(page.getByRole('link', { name: link })).toHaveAttribute(
      'href',
      `${baseURL}/ar/mobile/register?key=${new URL(link).searchParams.get('key')}`,
    )
  })
}

test('what no sandbox answers for is not found', async ({ request, baseURL }) => {
  for (const path of ['/sandbox', '/sandbox/nothing', '/sandbox/mail/nothing', '/de/sandbox/mail'])
    expect((await request.get(baseURL + path)).status(), path).toBe(404)
})
