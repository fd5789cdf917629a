import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { holdSnapshot } from '#features/goods/browse/flows.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { productPath, type Product } from '#features/goods/catalogue/rules.ts'
import { makeChange, tryChange } from '#features/goods/editing/commands.ts'
import type { Edit, Json } from '#features/goods/editing/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import { useDemoDatabase } from '../test/support/demo-database.ts'
import { firstOwner } from '../test/support/operators.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'

const database = useDemoDatabase()
let shop: RunningShop
let owner: OperatorCtx
let newest: () => ShopSnapshot
/** How often the catalogue was asked for anything: a page that is kept asks for nothing. */
let reads = 0
let changes = 0

beforeAll(async () => {
  owner = await firstOwner(database.ctx)
  shop = await startShop(
    database.url,
    {},
    {
      holdSnapshot: async (options) => {
        const holder = await holdSnapshot({
          ...options,
          onChange: (...change) => {
            changes += 1
            options.onChange(...change)
          },
        })
        newest = holder.current
        return { ...holder, current: () => watched(holder.current()) }
      },
    },
  )
})
afterAll(() => shop.stop())

const known = new WeakMap<ShopSnapshot, ShopSnapshot>()

function watched(snapshot: ShopSnapshot): ShopSnapshot {
  const before = known.get(snapshot)
  if (before) return before
  const made = new Proxy(snapshot, {
    get(target, name: keyof ShopSnapshot) {
      if (name === 'catalogue') reads += 1
      return target[name]
    },
  })
  known.set(snapshot, made)
  return made
}

/** What an address answers, and whether it came from what was kept. */
async function ask(path: string) {
  reads = 0
  const answer = await fetch(shop.origin + path)
  const html = await answer.text()
  expect(answer.status, path).toBe(200)
  return { isKept: reads === 0, etag: answer.headers.get('etag'), html }
}

let keys = 0

async function save(edit: Edit): Promise<void> {
  const before = changes
  const asked = { edits: [edit] }
  const { hash } = await tryChange(owner, asked)
  keys += 1
  const given = { asked, kind: 'editor', hash, note: '', isPartial: false } as const
  await makeChange(owner, { ...given, key: `kept-pages-${keys}` }, null)
  await vi.waitFor(() => expect(changes).toBeGreaterThan(before), { timeout: 60_000 })
}

const cardAt = (place: number): Product =>
  present(
    newest().catalogue.products.filter(
      ({ type, isLeading, brand, items }) =>
        type === 1 && isLeading && brand.game === null && items.every(({ free }) => free === null),
    )[place],
    'a card',
  )

/** A card that stands in no menu, and one that has nothing to do with it. */
function twoCards(): readonly [Product, Product] {
  const changed = cardAt(40)
  const other = newest().catalogue.products.find(
    ({ type, brand, isLeading }) =>
      type === changed.type &&
      isLeading &&
      !brand.categoryIds.some((id) => changed.brand.categoryIds.includes(id)),
  )
  return [changed, present(other, 'a card of another category')]
}

test('a saved product is shown anew where it stands, and pages that do not show it stay as they are kept', async () => {
  const [changed, other] = twoCards()
  const aside = [
    productPath(other),
    `/de${productPath(other)}`,
    '/top-up',
    '/ar/game',
    '/contact-us',
  ]
  const showing = [productPath(changed), `/ja${productPath(changed)}`, '/cards', '/']
  const first = new Map<string, string | null>()
  for (const path of [...aside, ...showing]) first.set(path, (await ask(path)).etag)
  for (const path of aside) expect(await ask(path), path).toMatchObject({ isKept: true })

  const [item] = changed.items
  const to: Json = {
    minor: String((present(item, 'an item').priceMinor ?? 0n) + 123n),
    currency: present(item, 'an item').priceCurrency,
  }
  await save({ subject: 'item', code: present(item, 'an item').code, field: 'price', to })
  for (const path of aside)
    expect(await ask(path), path).toMatchObject({ isKept: true, etag: first.get(path) })
  for (const path of showing) expect((await ask(path)).isKept, path).toBe(false)
  expect((await ask(productPath(changed))).etag).not.toBe(first.get(productPath(changed)))
  // Whoever asks again is answered from what is kept anew.
  for (const path of showing.filter((path) => path !== '/'))
    expect((await ask(path)).isKept, path).toBe(true)
})

test('words of one product for search engines are a change of its own pages, though they are sentences that any may share', async () => {
  const [changed, other] = twoCards()
  for (const path of [productPath(changed), productPath(other)]) await ask(path)
  await save({
    subject: 'product',
    code: changed.code,
    field: 'seo_title',
    to: 'A title that nobody else has',
  })
  expect((await ask(productPath(other))).isKept).toBe(true)
  expect((await ask(productPath(changed))).html).toContain('A title that nobody else has')
})

test('goods that go touch every page, and pages that say the same afterwards keep their bytes', async () => {
  const [changed, other] = twoCards()
  const { etag } = await ask(productPath(other))
  await save({ subject: 'product', code: changed.code, field: 'status', to: 'suspended' })
  const again = await ask(productPath(other))
  expect(again).toMatchObject({ isKept: false, etag })
  expect((await fetch(shop.origin + productPath(changed))).status).toBe(404)
})
