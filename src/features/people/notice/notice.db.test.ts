import { beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from '../../../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import {
  eraseNotice,
  forgetOldNotices,
  postNotice,
  readAllNotices,
  readNotice,
} from './commands.ts'
import { countUnreadNotices, exportNotice, listNotices } from './queries.ts'
import { NOTICES_MAX, ORDER_NOTICES, type NoticeContent } from './rules.ts'
import { noticeShape } from './schema.ts'
import { noticeView } from './views.ts'

const database = useDatabase()
let shop: ShopSnapshot

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
})

const EACH: readonly NoticeContent[] = [
  { kind: 'welcome', params: {} },
  { kind: 'password_changed', params: {} },
  { kind: 'email_changed', params: {} },
  { kind: 'new_device', params: { browser: 'Firefox', system: 'Windows' } },
  { kind: 'identity_linked', params: { platform: 'Google' } },
  { kind: 'identity_unlinked', params: { platform: 'Google' } },
  { kind: 'factor_added', params: { factor: 'passkey' } },
  { kind: 'factor_added', params: { factor: 'authenticator' } },
  { kind: 'factor_removed', params: { factor: 'recovery_codes' } },
  { kind: 'cancellation_undone', params: {} },
  { kind: 'price_drop', params: { product: 'vapour-us', name: 'Vapour Gift Card', percent: 12 } },
  ...ORDER_NOTICES.map(
    (kind): NoticeContent => ({
      kind,
      params: {
        order: 'pZ1xqk0bRk2v8k4y6c9w1A',
        number: '4829103756214',
        product: 'vapour-us',
        name: 'Vapour Gift Card',
        amount: { minor: '1000', currency: 'USD' },
        variant: 'original',
      },
    }),
  ),
]

const post = (accountId: string, content: NoticeContent, at = '2026-11-20T10:00:00Z') =>
  transaction(database.ctx, (tx) =>
    postNotice(tx, { ...database.ctx, now: () => new Date(at) }, { accountId, ...content }),
  )
const viewIn = (language: LanguageCode) => ({
  shop,
  language,
  currency: US_DOLLAR,
  t: translatorOf(language),
})

async function texts(accountId: string, language: LanguageCode) {
  const { notices } = await listNotices(database.ctx.db, accountId, 1, 100)
  return notices.map((notice) => noticeView(viewIn(language), notice, 'UTC'))
}

describe('notices', () => {
  test('every kind reads as a sentence with its values, in the published shape', async () => {
    const account = await addAccount(database.ctx)
    for (const content of EACH) await post(account, content)
    const shown = await texts(account, 'en')
    expect(shown).toHaveLength(EACH.length)
    for (const notice of shown) {
      expect(noticeShape.parse(notice)).toEqual(notice)
      expect(`${notice?.title} ${notice?.text}`).not.toMatch(/[{}]|notice\.|undefined/)
    }
    expect(shown.find((notice) => notice?.kind === 'order_refunded')).toMatchObject({
      title: 'Refund for order 4829103756214',
      text: '$10.00 has been sent back to your payment method.',
      path: '/order/detail?order=pZ1xqk0bRk2v8k4y6c9w1A',
    })
    expect(shown.find((notice) => notice?.kind === 'price_drop')).toMatchObject({
      title: '12% off Vapour Gift Card (United States)',
      path: '/cards/vapour-us',
      time_text: '20 November 2026',
      is_read: false,
      created_at: '2026-11-20T10:00:00.000Z',
      text: 'One of your favourites, Vapour Gift Card (United States), has cost 12% less than its list price since 20 November 2026.',
    })
    expect(shown.find((notice) => notice?.kind === 'new_device')?.text).toBe(
      'Someone signed in on 20 November 2026 with Firefox on Windows. If this wasn’t you, sign that device out and change your password.',
    )
    expect((await texts(account, 'ja'))[0]?.time_text).toBe('2026年11月20日')
  })

  test('a product that is no longer sold keeps its English name and leads to the favourites', async () => {
    const account = await addAccount(database.ctx)
    await post(account, {
      kind: 'price_drop',
      params: { product: 'gone-us', name: 'Gone Card', percent: 12 },
    })
    expect((await texts(account, 'en'))[0]).toMatchObject({
      title: '12% off Gone Card',
      path: '/user/collect',
    })
  })

  test('what this release does not know is left out, not shown wrong', async () => {
    const account = await addAccount(database.ctx)
    const row = { account_id: account, created_at: new Date() }
    await database.ctx.db
      .insertInto('notice')
      .values([
        { ...row, id: database.ctx.newId(), public_id: 'a'.repeat(22), kind: 'from_the_future' },
        {
          ...row,
          id: database.ctx.newId(),
          public_id: 'b'.repeat(22),
          kind: 'price_drop',
          params: '{"percent":"12"}',
        },
      ])
      .execute()
    expect(await texts(account, 'en')).toEqual([null, null])
  })

  test('come newest first, in pages, with how many are unread', async () => {
    const { db } = database.ctx
    const account = await addAccount(database.ctx)
    for (const day of [11, 13, 12])
      await post(account, { kind: 'welcome', params: {} }, `2026-11-${day}T00:00:00Z`)
    const first = await listNotices(db, account, 1, 2)
    expect(first).toMatchObject({ total: 3, unread: 3 })
    expect(first.notices.map(({ createdAt }) => createdAt.getUTCDate())).toEqual([13, 12])
    expect((await listNotices(db, account, 2, 2)).notices).toHaveLength(1)
    expect((await listNotices(db, account, 1_000_000, 9_999)).notices).toEqual([])
  })

  test('are read one by one or all at once, by their owner alone', async () => {
    const { ctx } = database
    const [account, stranger] = [await addAccount(ctx), await addAccount(ctx)]
    for (let count = 0; count < 3; count += 1) await post(account, { kind: 'welcome', params: {} })
    const [notice] = (await listNotices(ctx.db, account, 1, 1)).notices
    const id = notice?.publicId ?? ''
    await expect(readNotice(ctx, stranger, id)).rejects.toMatchObject({ code: 'not_found' })
    for (const wrong of ['x'.repeat(22), '', '\0', "' or 1=1 --"])
      await expect(readNotice(ctx, account, wrong)).rejects.toMatchObject({ code: 'not_found' })
    await readNotice(ctx, account, id)
    const readAt = (await listNotices(ctx.db, account, 1, 1)).notices[0]?.readAt
    await readNotice(ctx, account, id)
    expect((await listNotices(ctx.db, account, 1, 1)).notices[0]?.readAt).toEqual(readAt)
    expect(await countUnreadNotices(ctx.db, account)).toBe(2)
    await readAllNotices(ctx, stranger)
    expect(await countUnreadNotices(ctx.db, account)).toBe(2)
    await readAllNotices(ctx, account)
    expect(await countUnreadNotices(ctx.db, account)).toBe(0)
  })

  test('those of more than a year and beyond the newest five hundred are forgotten', async () => {
    const { ctx } = database
    const [many, old] = [await addAccount(ctx), await addAccount(ctx)]
    const now = new Date('2026-11-20T10:00:00Z')
    const rows = Array.from({ length: NOTICES_MAX + 20 }, (_, index) => ({
      id: ctx.newId(),
      public_id: `many${String(index).padStart(18, '0')}`,
      account_id: many,
      kind: 'welcome',
      created_at: new Date(now.getTime() - index * 1_000),
    }))
    await ctx.db.insertInto('notice').values(rows).execute()
    await post(old, { kind: 'welcome', params: {} }, '2025-11-19T10:00:00Z')
    await post(old, { kind: 'welcome', params: {} }, '2025-11-21T10:00:00Z')
    await forgetOldNotices({ db: ctx.db, now: () => now })
    const left = await ctx.db
      .selectFrom('notice')
      .select('public_id')
      .where('account_id', '=', many)
      .orderBy('created_at')
      .execute()
    expect(left).toHaveLength(NOTICES_MAX)
    expect(left[0]?.public_id).toBe(`many${String(NOTICES_MAX - 1).padStart(18, '0')}`)
    expect(await exportNotice(ctx.db, old)).toHaveLength(1)
  })

  test('erasing leaves none', async () => {
    const account = await addAccount(database.ctx)
    await post(account, { kind: 'welcome', params: {} })
    expect(await exportNotice(database.ctx.db, account)).toEqual([
      { kind: 'welcome', details: {}, created_at: '2026-11-20T10:00:00.000Z', read_at: null },
    ])
    await transaction(database.ctx, (tx) => eraseNotice(tx, account))
    expect(await exportNotice(database.ctx.db, account)).toEqual([])
  })
})
