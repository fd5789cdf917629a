import { expect } from '@playwright/test'
import { sql } from '../e2e/buying/operator.ts'
import { newBuyer } from '../e2e/buying/purchase.ts'
import type { Shopper } from '../e2e/people/shopper.ts'
import type { Ground } from './task.ts'

/** Somebody who buys, in a window of their own. */
export async function buyerOf({ window, shopUrl }: Ground): Promise<Shopper> {
  return newBuyer(await window(), shopUrl)
}

/** One value of the database, to stand on or to compare with: no task ends in it. */
export async function valueOf(text: string, values: readonly unknown[] = []): Promise<string> {
  const [row] = await sql(text, values)
  const value = row && Object.values(row)[0]
  if (value === undefined || value === null) throw new Error(`nothing is found by ${text}`)
  return String(value)
}

/** The page of a visitor comes to hold something, or no longer to. */
export async function expectInShop(
  { shopPage }: Ground,
  path: string,
  text: string,
  isThere = true,
): Promise<void> {
  await expect
    .poll(async () => (await shopPage(path)).includes(text), { timeout: 60_000 })
    .toBe(isThere)
}
