import { expect, test } from './page-checks.ts'
import { SAMPLE_ADDRESSES } from './addresses.ts'
import { faultsOf } from './validity.ts'

test('the HTML of every page is valid', async ({ request, baseURL }, info) => {
  test.skip(info.project.name !== 'desktop', 'the same bytes for every screen')
  const faults: string[] = []
  for (const { path } of SAMPLE_ADDRESSES) {
    for (const prefix of ['', '/ar', '/ja']) {
      const address = `${prefix}${path === '/' && prefix !== '' ? '' : path}`
      faults.push(
        ...(await faultsOf(address, await (await request.get(`${baseURL}${address}`)).text())),
      )
    }
  }
  expect([...new Set(faults)].slice(0, 40)).toEqual([])
})
