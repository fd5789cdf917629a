import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { readGoods } from './goods.ts'
import { numberOf } from './market.ts'
import { SCENARIOS, scenarioOf } from './scenarios.ts'

interface File {
  readonly kind: string
  readonly delivery?: string
  readonly fields?: readonly { readonly key: string }[]
  readonly products: readonly { readonly items: readonly { readonly code: string }[] }[]
}

const folder = join(PROJECT_ROOT, 'catalogue')
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as unknown
const filesIn = (name: string) =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => read(join(name, file)))

test('everything of the demo that is credited to an account can be bought by its code, with the fields the shop asks for', () => {
  const goods = readGoods()
  const operators = (filesIn('operators') as { readonly operators: readonly File[] }[]).flatMap(
    (file) => file.operators,
  )
  const credited = [...(filesIn('brands') as File[]), ...operators].filter(
    ({ delivery, kind }) => delivery === 'direct_charge' || kind === 'recharge',
  )
  const items = credited.flatMap((brand) =>
    brand.products.flatMap(({ items: all }) => all.map(({ code }) => ({ code, brand }))),
  )
  expect(items.length).toBeGreaterThan(2_500)
  for (const { code, brand } of items) {
    const good = goods.get(code)
    expect(good?.cost, code).toBeGreaterThan(0n)
    expect(good?.fields.map(({ name }) => name)).toEqual(
      brand.kind === 'recharge' ? ['phone', 'country'] : (brand.fields ?? []).map(({ key }) => key),
    )
  }
})

test('numbers of products are told apart, and none is that of a scenario', () => {
  const names = new Map<number, string>()
  for (const { sku, group, kind } of readGoods().values())
    for (const name of [sku, `${group}:${kind}`]) {
      const number = numberOf(name)
      expect(names.get(number) ?? name).toBe(name)
      names.set(number, name)
    }
  for (const { number } of SCENARIOS) expect(names.has(number)).toBe(false)
})

test('a scenario is named by the end of an account; of a card, by its product', () => {
  expect(scenarioOf('game:x:1', '6281234569011')).toBe('lost_answer')
  expect(scenarioOf('9011', null)).toBe('lost_answer')
  expect(scenarioOf('9011', '1234')).toBe('done')
  expect(scenarioOf('game:17live:tw:9011', null)).toBe('done')
  expect(scenarioOf('game:x:1', '9999')).toBe('done')
})
