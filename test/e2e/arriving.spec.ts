import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, expectNoLayoutShift, test } from './page-checks.ts'

/** Where a slow connection may end for a while: within the head of the page, and between two parts of it. */
const CUTS = [
  { name: 'before the cart of the header', at: 'href="/shop-cart"', path: '/cards' },
  { name: 'before the main part', at: '<main', path: '/cards' },
  // A short page, whose foot is in sight.
  {
    name: 'among the ways to pay of the foot',
    at: '/pay/bank.svg',
    path: '/search?keywords=steam',
  },
] as const

for (const cut of CUTS)
  test(`a page that arrives in pieces stands still: cut ${cut.name}`, async ({
    page,
    baseURL,
    misdeeds,
  }) => {
    const { promise: isPainted, resolve: painted } = Promise.withResolvers<void>()
    // The shop, but for the page, which stops at the cut until what has come of it is painted.
    const slow = createServer((request, response) => {
      void (async () => {
        const answer = await fetch(new URL(request.url ?? '/', baseURL), {
          headers: { accept: request.headers.accept ?? '*/*' },
        })
        response.setHeader('content-type', answer.headers.get('content-type') ?? '')
        const body = Buffer.from(await answer.arrayBuffer())
        const at = request.url === cut.path ? body.lastIndexOf('<', body.indexOf(cut.at) + 1) : 0
        response.write(body.subarray(0, at))
        if (at > 0) await isPainted
        response.end(body.subarray(at))
      })()
    })
    slow.listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const origin = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    try {
      await page.context().addCookies([{ name: 'consent', value: 'refuse', url: origin }])
      await page.goto(`${origin}${cut.path}`, { waitUntil: 'commit' })
      await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint').length > 0,
      )
      painted()
      await page.waitForLoadState('load')
      await expect(page.locator('header [data-cart]')).toBeVisible()
      await expectNoLayoutShift(page, 0)
    } finally {
      slow.closeAllConnections()
      slow.close()
    }
    // The slow shop's own address is another one.
    misdeeds.foreignRequests.splice(0)
  })
