import { beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from '../../../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { transaction } from '#platform/ctx.ts'
import {
  eraseAddress,
  removeAddress,
  saveAddress,
  setDefaultAddress,
  type SaveAddress,
} from './commands.ts'
import { exportAddress, listAddresses } from './queries.ts'
import { ADDRESSES_MAX } from './rules.ts'

const database = useDatabase()
const countries = new Map([
  ['US', { isOnSale: true }],
  ['AQ', { isOnSale: false }],
])
let minutes = 0

beforeAll(() => importSmallCatalogue(database.ctx))

function save(account: string, changes: Partial<SaveAddress> = {}): Promise<string> {
  const ctx = { ...database.ctx, now: () => new Date(Date.UTC(2026, 10, 20, 10, (minutes += 1))) }
  return saveAddress(ctx, countries, account, {
    id: null,
    isDefault: false,
    country: 'US',
    region: 'California',
    first_name: 'Ada',
    surname: 'Miller',
    address: '1 Main Street, Cupertino',
    postal_code: '95014',
    ...changes,
  })
}
const list = (account: string) => listAddresses(database.ctx.db, account)
const defaults = async (account: string) =>
  (await list(account)).filter((address) => address.is_default).map((address) => address.id)

describe('billing addresses', () => {
  test('are added, changed and removed; the first one is the default', async () => {
    const account = await addAccount(database.ctx)
    const first = await save(account)
    expect(await list(account)).toEqual([
      {
        id: first,
        country: 'US',
        region: 'California',
        first_name: 'Ada',
        surname: 'Miller',
        address: '1 Main Street, Cupertino',
        postal_code: '95014',
        is_default: true,
      },
    ])
    const second = await save(account, { address: '2 Side Street, Reno' })
    expect(await save(account, { id: second, address: ' 3 Side Street, Reno ' })).toBe(second)
    expect((await list(account)).map(({ id, address }) => [id, address])).toEqual([
      [first, '1 Main Street, Cupertino'],
      [second, '3 Side Street, Reno'],
    ])
    await removeAddress(database.ctx, account, second)
    expect(await list(account)).toHaveLength(1)
  })

  test('exactly one is the default, whatever is done', async () => {
    const account = await addAccount(database.ctx)
    const [a, b, c] = [
      await save(account),
      await save(account, { isDefault: true }),
      await save(account),
    ]
    expect(await defaults(account)).toEqual([b])
    expect((await list(account)).map(({ id }) => id)).toEqual([b, a, c])
    await save(account, { id: b, isDefault: false })
    expect(await defaults(account), 'it stays until another takes its place').toEqual([b])
    await setDefaultAddress(database.ctx, account, a)
    await setDefaultAddress(database.ctx, account, a)
    expect(await defaults(account)).toEqual([a])
    await save(account, { id: c, isDefault: true })
    expect(await defaults(account)).toEqual([c])
    await removeAddress(database.ctx, account, c)
    expect(await defaults(account), 'the newest of the others').toEqual([b])
    await removeAddress(database.ctx, account, b)
    await removeAddress(database.ctx, account, a)
    expect(await list(account)).toEqual([])
  })

  test('hold their limit and their single default when many come at once', async () => {
    const account = await addAccount(database.ctx)
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => save(account, { isDefault: true })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(ADDRESSES_MAX)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'check_fields', fields: [{ reason: 'too_many', params: { max: 20 } }] },
    })
    const ids = (await list(account)).map(({ id }) => id)
    expect(ids).toHaveLength(ADDRESSES_MAX)
    await Promise.all(
      ids.map((id, index) =>
        index % 2 === 0
          ? setDefaultAddress(database.ctx, account, id)
          : removeAddress(database.ctx, account, id),
      ),
    )
    expect(await defaults(account)).toHaveLength(1)
    expect(await list(account)).toHaveLength(ADDRESSES_MAX / 2)
  })

  test("somebody else's are not found and stay as they are", async () => {
    const [owner, stranger] = [await addAccount(database.ctx), await addAccount(database.ctx)]
    const id = await save(owner)
    const before = await list(owner)
    for (const wrong of [id, '', 'x'.repeat(22), '\0', "' or 1=1 --"]) {
      await expect(save(stranger, { id: wrong })).rejects.toMatchObject({ code: 'not_found' })
      await expect(removeAddress(database.ctx, stranger, wrong)).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(setDefaultAddress(database.ctx, stranger, wrong)).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect([await list(owner), await list(stranger)]).toEqual([before, []])
  })

  test('what is wrong with one is said at its field and nothing is kept', async () => {
    const account = await addAccount(database.ctx)
    await expect(save(account, { surname: '', postal_code: '950' })).rejects.toMatchObject({
      code: 'check_fields',
      fields: [
        { field: 'surname', reason: 'required' },
        { field: 'postal_code', reason: 'postal_code', params: { example: '95014' } },
      ],
    })
    await expect(save(account, { country: 'AQ' })).rejects.toMatchObject({
      fields: [{ field: 'country', reason: 'country_unknown' }],
    })
    expect(await list(account)).toEqual([])
    await expect(
      save(await addAccount(database.ctx, { status: 'cancelling' })),
    ).rejects.toMatchObject({ code: 'unauthorised' })
  })

  test('are exported whole, and erasing leaves none', async () => {
    const account = await addAccount(database.ctx)
    await save(account)
    expect(await exportAddress(database.ctx.db, account)).toMatchObject([
      { country: 'US', surname: 'Miller', is_default: true },
    ])
    await transaction(database.ctx, (tx) => eraseAddress(tx, account))
    expect(await exportAddress(database.ctx.db, account)).toEqual([])
  })
})
