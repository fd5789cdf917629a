import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccount } from '#features/people/account/queries.ts'
import { accountNameOf } from '#features/people/account/rules.ts'
import { saveAddress } from '#features/people/address/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import { atProvider, creditDebtOf, HELD, LOSSES } from '#features/base/ledger/rules.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { listCredit } from '#features/buying/transaction/queries.ts'
import { postMail } from '#features/people/mail/commands.ts'
import { sendMail } from '#features/people/mail/jobs.ts'
import { cancelOrder, createOrder, type MadeOrder } from '#features/buying/order/commands.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import { findPerson } from '#features/people/session/queries.ts'
import { keepPicture, setAvatar } from '#features/goods/upload/commands.ts'
import { issueVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { OutgoingMessage } from '#providers/mail/sender.ts'
import { addAccount } from '../../../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { PHONE, refused, signedIn, somebody } from '../../../../test/support/people.ts'
import { cancelAccount, eraseAccount, undoCancellation } from './commands.ts'
import { eraseDue } from './jobs.ts'
import { exportEverything } from './queries.ts'
import { csvOf } from './rules.ts'

const database = useDatabase()
const DAY_MS = 86_400_000
const after = (days: number): Ctx => ({
  ...database.ctx,
  now: () => new Date(Date.now() + days * DAY_MS),
})

beforeAll(() => importSmallCatalogue(database.ctx))

const rowOf = (accountId: string) =>
  database.ctx.db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()

/** Sends what waits for an address. @returns the mails, newest last */
async function mailsTo(recipient: string): Promise<OutgoingMessage[]> {
  const sent: OutgoingMessage[] = []
  const mail = {
    send: (message: OutgoingMessage) =>
      Promise.resolve(sent.push(message) > 0 ? ('sent' as const) : ('refused' as const)),
    close: () => {},
  }
  const waiting = await database.ctx.db
    .selectFrom('outgoing_mail')
    .select('id')
    .where('recipient', '=', recipient)
    .where('sent_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of waiting)
    await sendMail(
      database.ctx,
      { id },
      { mail, publicUrl: 'https://shop.example', timeZone: 'UTC' },
    )
  return sent
}

const keyIn = (message: OutgoingMessage | undefined) =>
  /recoveryAccount\?key=([\w-]{43})/.exec(message?.text ?? '')?.[1] ?? ''

/** What somebody has who buys by a key, too. */
async function fillReseller(ctx: Ctx, accountId: string, now: Date): Promise<void> {
  const keyId = ctx.newId()
  const publicId = () => Buffer.from(ctx.random(16)).toString('base64url')
  const salt = Buffer.alloc(32)
  await ctx.db
    .insertInto('reseller_key')
    .values({
      id: keyId,
      public_id: publicId(),
      account_id: accountId,
      name: ZORA.displayName,
      scopes: ['browse'],
      salt,
      order_max_minor: 100n,
      day_max_minor: 100n,
      contract: 'test',
      created_at: now,
      created_by: 'operator:ann',
    })
    .execute()
  const bought = {
    account_id: accountId,
    key_id: keyId,
    reference: ZORA.subject,
    request_hash: salt,
  }
  await ctx.db
    .insertInto('reseller_order')
    .values({
      ...bought,
      id: ctx.newId(),
      currency: 'USD',
      amount_minor: 100n,
      usd_minor: 100n,
      state: 'refused',
      refusal: 'out_of_stock',
      created_at: now,
    })
    .execute()
  await ctx.db
    .insertInto('agent_confirmation')
    .values({
      ...bought,
      id: ctx.newId(),
      public_id: publicId(),
      lines: JSON.stringify([{ name: ZORA.displayName }]),
      currency: 'USD',
      amount_minor: 100n,
      created_at: now,
      ends_at: new Date(now.getTime() + 1_000),
    })
    .execute()
  const tried = { id: ctx.newId(), public_id: `test_${publicId()}` }
  await ctx.db
    .insertInto('reseller_test_key')
    .values({
      ...tried,
      account_id: accountId,
      name: ZORA.displayName,
      salt,
      order_max_minor: 100n,
      day_max_minor: 100n,
      webhook_url: `https://shop.example/${ZORA.subject}`,
      created_at: now,
      created_by: 'operator:ann',
    })
    .execute()
  await ctx.db
    .insertInto('reseller_test_order')
    .values({
      ...bought,
      id: ctx.newId(),
      public_id: `test_${publicId()}`,
      key_id: tried.id,
      currency: 'USD',
      usd_minor: 100n,
      lines: '[]',
      created_at: now,
    })
    .execute()
  await ctx.db
    .insertInto('webhook_endpoint')
    .values({
      id: ctx.newId(),
      public_id: publicId(),
      account_id: accountId,
      url: `https://shop.example/${encodeURIComponent(ZORA.subject)}`,
      salt,
      created_at: now,
      created_by: 'operator:ann',
    })
    .execute()
}

/** Stands in every place where something of a person is kept. */
const ZORA = {
  email: 'zora.marker@example.com',
  userName: 'ZoraMarker77',
  nickname: 'Zora Q. Marker',
  mobile: '+628121234987',
  first: 'Zoraida',
  surname: 'Markerova',
  street: '77 Marker Street',
  postalCode: '99077',
  region: 'Markershire',
  browser: 'MarkerBrowser',
  system: 'MarkerSystem',
  network: '198.18.77.0/24',
  subject: 'subject-of-zora',
  displayName: 'Zora at the provider',
  passkey: 'Key of Zora',
  picture: 'a picture of Zora',
  answer: 'an answer to Zora',
  said: 'words of Zora about an order',
  masked: 'Z***ora',
  seed: 'seed of Zora',
}

/** An order that is not paid yet, by somebody who said what an order asks for. */
async function orderOf(
  ctx: Ctx,
  accountId: string,
  said: { readonly network: string; readonly subject: string; readonly answer: string } = ZORA,
): Promise<MadeOrder> {
  const { id: item } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', 'card:vapour:us:10')
    .executeTakeFirstOrThrow()
  return createOrder(
    ctx,
    {
      accountId,
      currency: 'USD',
      pricing: {},
      language: 'en',
      country: null,
      evidence: { network: said.network },
      termsVersion: '1',
      tax: { minor: 0n, basisPoints: 0 },
      lines: [
        {
          item,
          itemCode: 'card:vapour:us:10',
          product: 'vapour-us',
          goodsType: 1,
          delivery: 'card_key',
          productName: 'Vapour',
          itemName: '10 USD',
          quantity: 1,
          priceMinor: 950n,
          baseMinor: 950n,
          baseCurrency: 'USD',
          amount: null,
          accountFields: { user_id: said.subject },
        },
      ],
    },
    said.answer,
  )
}

async function fill(ctx: Ctx, accountId: string): Promise<void> {
  const now = ctx.now()
  const bytes = (text: string) => Buffer.from(text.padEnd(32, '.'))
  const { db } = ctx
  await db
    .updateTable('account')
    .set({ mobile: ZORA.mobile, mobile_verified_at: now })
    .where('id', '=', accountId)
    .execute()
  await setAvatar(ctx, accountId, { content: Buffer.from(ZORA.picture), width: 320, height: 320 })
  await transaction(ctx, (tx) =>
    keepPicture(tx, ctx, {
      accountId,
      purpose: 'ticket',
      picture: { content: Buffer.from(ZORA.picture), width: 9, height: 9 },
    }),
  )
  await signedIn(ctx, accountId)
  await db
    .updateTable('session')
    .set({ browser: ZORA.browser, system: ZORA.system, network: ZORA.network })
    .where('account_id', '=', accountId)
    .execute()
  await saveAddress(ctx, new Map([['US', { isOnSale: true }]]), accountId, {
    id: null,
    isDefault: true,
    country: 'US',
    region: ZORA.region,
    first_name: ZORA.first,
    surname: ZORA.surname,
    address: ZORA.street,
    postal_code: ZORA.postalCode,
  })
  await db
    .insertInto('favourite')
    .values({ account_id: accountId, product: 'us-bell', created_at: now })
    .execute()
  await db
    .insertInto('shopper_note')
    .values({
      id: ctx.newId(),
      public_id: 'N'.repeat(22),
      account_id: accountId,
      author: 'operator:mara',
      text: `${ZORA.displayName} asked by phone.`,
      created_at: now,
    })
    .execute()
  await db
    .insertInto('saved_account')
    .values({
      id: ctx.newId(),
      public_id: 'S'.repeat(22),
      account_id: accountId,
      field_set: 'dragon-quarry',
      label: ZORA.displayName,
      fields: JSON.stringify({ user_id: ZORA.subject }),
      fields_hash: Buffer.alloc(32),
      created_at: now,
    })
    .execute()
  await fillReseller(ctx, accountId, now)
  await db
    .insertInto('age_proof')
    .values({ account_id: accountId, years: 18, proved_by: 'ann', proved_at: now })
    .execute()
  await db
    .insertInto('screening_check')
    .values({
      id: ctx.newId(),
      account_id: accountId,
      subject: bytes('screened'),
      state: 'match',
      matches: ['Q42'],
      wanted_at: now,
      answered_at: now,
    })
    .execute()
  await db
    .insertInto('linked_identity')
    .values({
      id: ctx.newId(),
      account_id: accountId,
      platform: 'google',
      issuer: 'https://accounts.google.com',
      subject: ZORA.subject,
      display_name: ZORA.displayName,
      linked_at: now,
    })
    .execute()
  await db
    .insertInto('passkey')
    .values({
      id: ctx.newId(),
      public_id: 'P'.repeat(22),
      account_id: accountId,
      credential_id: bytes(ZORA.passkey),
      public_key: bytes(ZORA.passkey),
      counter: 0,
      name: ZORA.passkey,
      is_backed_up: true,
      created_at: now,
    })
    .execute()
  await db
    .insertInto('second_factor')
    .values({ account_id: accountId, sealed_seed: bytes(ZORA.seed) })
    .execute()
  await db
    .insertInto('recovery_code')
    .values({ account_id: accountId, code_hash: bytes(ZORA.seed) })
    .execute()
  await db
    .insertInto('idempotency_key')
    .values({
      account_id: accountId,
      key: ZORA.answer,
      call: 'user/address',
      request_hash: bytes(ZORA.answer),
      status: 200,
      answer: JSON.stringify({ said: ZORA.answer }),
      created_at: now,
    })
    .execute()
  const item = (
    await db
      .selectFrom('item')
      .select('id')
      .where('code', '=', 'card:vapour:us:10')
      .executeTakeFirstOrThrow()
  ).id
  await db
    .insertInto('cart_line')
    .values({
      id: ctx.newId(),
      public_id: 'C'.repeat(22),
      account_id: accountId,
      item,
      quantity: 1,
      account_fields: JSON.stringify({ user_id: ZORA.subject }),
      fields_hash: bytes(ZORA.answer),
      created_at: now,
    })
    .execute()
  const order = await orderOf(ctx, accountId)
  await cancelOrder(ctx, accountId, order.publicId)
  await db
    .insertInto('sales_invoice')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      kind: 'invoice',
      order_id: order.id,
      series: 'INV',
      year: 2026,
      number: 0,
      issued_at: now,
      currency: 'USD',
      gross_minor: 100n,
      tax_minor: 0n,
      content: '{}',
      // Who bought stays on an invoice for as long as the law asks, whatever becomes of the account.
      buyer: JSON.stringify({ lines: ['as the law asks'] }),
      keep_until: '2036-12-31',
    })
    .execute()
  await transaction(ctx, (tx) =>
    post(tx, ctx, [
      {
        source: 'capture',
        sourceId: ctx.newId(),
        debit: atProvider('fake'),
        credit: HELD,
        currency: 'USD',
        amountMinor: 100n,
        shownTo: accountId,
      },
    ]),
  )
  await db
    .insertInto('operator_act')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      kind: 'store_credit',
      permission: 'shopper.credit',
      status: 'waiting',
      subject: ZORA.email,
      account_id: accountId,
      currency: 'USD',
      amount_minor: 100n,
      usd_minor: 100n,
      details: JSON.stringify({ note: ZORA.said }),
      asked_by: 'operator:ann',
      asked_at: now,
      request_id: ctx.requestId,
    })
    .execute()
  await db
    .insertInto('service_case')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      kind: 'refund_request',
      order_id: order.id,
      account_id: accountId,
      reason: 'other',
      text: ZORA.said,
      status: 'declined',
      decided_by: 'operator:test',
      note: ZORA.said,
      created_at: now,
      decided_at: now,
    })
    .execute()
  await db
    .insertInto('review')
    .values({
      id: sql`nextval('review_number')`,
      brand: 'vapour',
      language: 'en',
      rating: 5,
      text: 'Fine.',
      nickname: ZORA.masked,
      published_at: now,
      source: 'shopper',
      account_id: accountId,
      order_id: order.id,
    })
    .execute()
  await db
    .insertInto('outgoing_sms')
    .values({
      id: ctx.newId(),
      account_id: accountId,
      mobile: ZORA.mobile,
      language: 'en',
      created_at: now,
    })
    .execute()
  await transaction(ctx, async (tx) => {
    await postNotice(tx, ctx, {
      accountId,
      kind: 'new_device',
      params: { browser: ZORA.browser, system: ZORA.system },
    })
    await postMail(tx, ctx, {
      kind: 'new_device',
      accountId,
      recipient: ZORA.email,
      language: 'en',
      params: { browser: ZORA.browser, network: ZORA.network },
    })
    await postMail(tx, ctx, {
      kind: 'reset_code',
      accountId: null,
      recipient: ZORA.email,
      language: 'en',
    })
    await issueVerification(tx, ctx, {
      purpose: 'email',
      accountId,
      target: ZORA.email,
      withCode: true,
      withSecret: true,
      data: { to: ZORA.email },
    })
  })
}

describe('leaving', () => {
  test('freezes the account at once: every session ends, codes and links are dead, a mail tells how to come back', async () => {
    const { ctx } = database
    const { accountId, email } = await somebody(ctx)
    const [phone, other] = [await signedIn(ctx, accountId), await signedIn(ctx, accountId)]
    await transaction(ctx, (tx) =>
      issueVerification(tx, ctx, {
        purpose: 'reset',
        accountId,
        target: email,
        withCode: true,
        withSecret: true,
      }),
    )
    const { eraseAt } = await cancelAccount(ctx, phone.person)
    expect(eraseAt.getTime() - Date.now()).toBeGreaterThan(29.99 * DAY_MS)
    for (const { token, handle } of [phone, other]) {
      expect(await findPerson(ctx.db, ctx, { cookie: token, handle: null })).toBeNull()
      expect(await findPerson(ctx.db, ctx, { cookie: null, handle })).toBeNull()
    }
    expect((await refused(signedIn(ctx, accountId))).code).toBe('sign_in_failed')
    expect(
      await ctx.db
        .selectFrom('verification')
        .select('id')
        .where('account_id', '=', accountId)
        .execute(),
    ).toEqual([])
    expect((await refused(cancelAccount(ctx, phone.person))).code).toBe('unauthorised')
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(keyIn(mails[0])).toHaveLength(43)
  })

  test('is done once of many at the same moment', async () => {
    const { accountId, email } = await somebody(database.ctx)
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, () => cancelAccount(database.ctx, { accountId })),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await mailsTo(email)).toHaveLength(1)
  })
})

describe('coming back', () => {
  async function leave(): Promise<{ accountId: string; email: string; key: string }> {
    const { accountId, email } = await somebody(database.ctx)
    await cancelAccount(database.ctx, { accountId })
    return { accountId, email, key: keyIn((await mailsTo(email)).at(-1)) }
  }

  test('by the link of the mail, once, however often it is used at the same moment', async () => {
    const { ctx } = database
    const { accountId, email, key } = await leave()
    const uses = await Promise.allSettled(
      Array.from({ length: 100 }, () => undoCancellation(ctx, { key })),
    )
    expect(uses.filter((use) => use.status === 'fulfilled')).toHaveLength(1)
    for (const use of uses)
      if (use.status === 'rejected') expect(use.reason).toMatchObject({ code: 'link_expired' })
    expect(await rowOf(accountId)).toMatchObject({
      status: 'active',
      cancel_requested_at: null,
      erase_at: null,
    })
    expect((await mailsTo(email)).map((mail) => mail.subject)).toHaveLength(1)
    const notices = await ctx.db
      .selectFrom('notice')
      .select('kind')
      .where('account_id', '=', accountId)
      .execute()
    expect(notices.map((notice) => notice.kind)).toContain('cancellation_undone')
    expect((await signedIn(ctx, accountId)).person.accountId).toBe(accountId)
  })

  test('a link is of no use later, after another was used, or when it is none', async () => {
    const { ctx } = database
    const { accountId, email, key } = await leave()
    await transaction(ctx, (tx) =>
      postMail(tx, ctx, {
        kind: 'sign_in_while_cancelling',
        accountId,
        recipient: email,
        language: 'en',
      }),
    )
    const second = keyIn((await mailsTo(email)).at(-1))
    await undoCancellation(ctx, { key: second })
    expect((await refused(undoCancellation(ctx, { key }))).code).toBe('link_expired')
    await cancelAccount(ctx, { accountId })
    expect((await refused(undoCancellation(ctx, { key }))).code).toBe('link_expired')
    const last = keyIn((await mailsTo(email)).at(-1))
    expect((await refused(undoCancellation(after(31), { key: last }))).code).toBe('link_expired')
    for (const none of [
      '',
      'x',
      "' or 1=1 --",
      'A'.repeat(43),
      '\0'.repeat(43),
      'A'.repeat(100_000),
    ]) {
      expect((await refused(undoCancellation(ctx, { key: none }))).code).toBe('link_expired')
    }
    expect((await rowOf(accountId)).status).toBe('cancelling')
  })

  test('a link for something else does not bring anybody back', async () => {
    const { ctx } = database
    const { accountId, email } = await leave()
    const { secret = '' } = await transaction(ctx, (tx) =>
      issueVerification(tx, ctx, {
        purpose: 'reset',
        accountId,
        target: email,
        withCode: false,
        withSecret: true,
      }),
    )
    expect((await refused(undoCancellation(ctx, { key: secret }))).code).toBe('link_expired')
  })
})

test('an account with an unfinished order cannot leave', async () => {
  const { ctx } = database
  const { accountId } = await somebody(ctx)
  await orderOf(ctx, accountId, { network: '', subject: '1', answer: 'one' })
  expect((await refused(cancelAccount(ctx, { accountId }))).code).toBe('unfinished_orders')
})

describe('being erased', () => {
  /** Every row of every table, the queue's among them, as text. */
  async function dump(): Promise<Map<string, string[]>> {
    const { db } = database.ctx
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`.execute(
      db,
    )
    const texts = new Map<string, string[]>()
    for (const { name } of tables) {
      const { rows } = await sql<{
        text: string
      }>`select row_to_json(t)::text as text from ${sql.raw(name)} t`.execute(db)
      texts.set(
        name,
        rows.map((row) => row.text),
      )
    }
    return texts
  }

  /** Tables that hold one of the texts, plain or as the bytes of a column. */
  const placesOf = (texts: Map<string, string[]>, wanted: readonly string[]) => {
    const forms = wanted.flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64').replace(/=+$/, ''),
    ])
    return [...texts]
      .filter(([, rows]) =>
        rows.some((row) => forms.some((form) => row.toLowerCase().includes(form.toLowerCase()))),
      )
      .map(([name]) => name)
  }

  async function tablesOfAccounts(): Promise<string[]> {
    const { rows } = await sql<{
      name: string
    }>`select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and column_name = 'account_id' and data_type = 'uuid' and table_type = 'BASE TABLE' order by 1`.execute(
      database.ctx.db,
    )
    return rows.map((row) => row.name)
  }

  const rowsOf = async (table: string, accountId: string) =>
    (
      await sql`select 1 from ${sql.table(table)} where account_id = ${accountId}`.execute(
        database.ctx.db,
      )
    ).rows.length

  test('leaves nothing of the person in any table, after 30 days and not before', async () => {
    const { ctx } = database
    const accountId = await addAccount(ctx, {
      email: ZORA.email,
      userName: ZORA.userName,
      nickname: ZORA.nickname,
      passwordHash: '$argon2id$v=19$of-zora',
    })
    const before = await rowOf(accountId)
    await fill(ctx, accountId)
    const tables = await tablesOfAccounts()
    for (const table of tables)
      expect([table, await rowsOf(table, accountId)]).toEqual([
        table,
        expect.toSatisfy((count: number) => count > 0),
      ])
    const texts = [...Object.values(ZORA), before.user_id, before.uid, '$argon2id$v=19$of-zora']
    const full = await dump()
    for (const text of texts) expect([text, placesOf(full, [text])]).not.toEqual([text, []])

    await cancelAccount(ctx, { accountId })
    await addLateRows(accountId)
    await eraseDue(after(29.9))
    expect((await rowOf(accountId)).status).toBe('cancelling')
    expect(await findAccount(ctx.db, accountNameOf(ZORA.email))).not.toBeNull()

    await eraseDue(after(30.1))
    // Orders, their money and what was decided about them stay for the books, without what the person said for them.
    for (const table of tables)
      expect([table, await rowsOf(table, accountId)]).toEqual([
        table,
        [
          'shop_order',
          'service_case',
          'operator_act',
          'ledger_transfer',
          'reseller_key',
          'reseller_order',
        ].includes(table)
          ? 1
          : 0,
      ])
    expect(placesOf(await dump(), texts)).toEqual(['public.outgoing_mail'])
    const mails = await mailsTo(ZORA.email)
    expect(mails).toHaveLength(1)
    expect(placesOf(await dump(), texts)).toEqual([])
    expect(await rowOf(accountId)).toMatchObject({
      status: 'erased',
      registered_at: before.registered_at,
      erased_at: expect.any(Date),
      role_id: 0,
      avatar: null,
    })
    expect(await findAccount(ctx.db, accountNameOf(ZORA.userName))).toBeNull()

    const again = await addAccount(ctx, { email: ZORA.email, userName: ZORA.userName })
    expect(again).not.toBe(accountId)
  })

  /** What may still come in while an account is frozen. */
  async function addLateRows(accountId: string): Promise<void> {
    const { ctx } = database
    await transaction(ctx, (tx) =>
      postMail(tx, ctx, {
        kind: 'sign_in_while_cancelling',
        accountId,
        recipient: ZORA.email,
        language: 'en',
      }),
    )
    await ctx.db
      .insertInto('linked_identity')
      .values({
        id: ctx.newId(),
        account_id: accountId,
        platform: 'discord',
        issuer: 'https://discord.com',
        subject: ZORA.subject,
        display_name: ZORA.displayName,
        linked_at: ctx.now(),
      })
      .execute()
  }

  test('happens once, and not to who came back or never asked', async () => {
    const { ctx } = database
    const [gone, back, stays] = [await somebody(ctx), await somebody(ctx), await somebody(ctx)]
    for (const { accountId } of [gone, back]) await cancelAccount(ctx, { accountId })
    await undoCancellation(ctx, { key: keyIn((await mailsTo(back.email)).at(-1)) })
    const later = after(31)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => eraseAccount(later, gone.accountId)),
    )
    expect(answers.filter((answer) => answer)).toHaveLength(1)
    for (const { accountId } of [back, stays]) {
      expect(await eraseAccount(later, accountId)).toBe(false)
      expect((await rowOf(accountId)).status).toBe('active')
    }
    expect(await eraseAccount(later, gone.accountId)).toBe(false)
  })

  test('one account that cannot be erased keeps no other waiting', async () => {
    const { ctx } = database
    const people = [await somebody(ctx), await somebody(ctx), await somebody(ctx)]
    for (const { accountId } of people) await cancelAccount(ctx, { accountId })
    const held = people[1]?.accountId ?? ''
    await sql
      .raw(
        `create function hold() returns trigger language plpgsql as $$ begin if old.id = '${held}' and new.status = 'erased' then raise 'held'; end if; return new; end $$`,
      )
      .execute(ctx.db)
    await sql`create trigger hold before update on account for each row execute function hold()`.execute(
      ctx.db,
    )
    const later = { ...after(31), log: { ...ctx.log, error: () => {} } }
    await expect(eraseDue(later)).rejects.toThrow('1 accounts')
    const statuses = await Promise.all(
      people.map(async ({ accountId }) => (await rowOf(accountId)).status),
    )
    expect(statuses).toEqual(['erased', 'cancelling', 'erased'])
    await sql`drop trigger hold on account`.execute(ctx.db)
    await eraseDue(later)
    expect((await rowOf(held)).status).toBe('erased')
  })
})

describe('taking everything along', () => {
  test('holds every part, and none of its secrets', async () => {
    const { ctx } = database
    const { accountId, email, userName } = await somebody(ctx)
    const { token, handle, person } = await signedIn(ctx, accountId, PHONE)
    const everything = await exportEverything(ctx, person)
    expect(everything.sections['account']).toMatchObject([
      { email, user_name: userName, nickname: userName, mobile: null },
    ])
    expect(everything.sections['devices']).toMatchObject([
      { browser: 'Chrome', system: 'Android', network: '203.0.113.0/24' },
    ])
    expect(everything.sections['notices']).toHaveLength(1)
    for (const text of [JSON.stringify(everything), csvOf(everything)]) {
      for (const secret of [token, handle, '$argon2', accountId]) expect(text).not.toContain(secret)
      expect(text).toContain(email)
    }
  })

  test('gives each part with the fields that other programs may rely on', async () => {
    const { ctx } = database
    const accountId = await addAccount(ctx, { email: 'golden@example.com', userName: 'Golden77' })
    await fill(ctx, accountId)
    const { sections } = await exportEverything(ctx, { accountId })
    const fields = Object.fromEntries(
      Object.entries(sections).map(([name, list]) => [
        name,
        list.map((object) => Object.keys(object).join(' ')),
      ]),
    )
    expect(fields).toMatchInlineSnapshot(`
      {
        "account": [
          "uid user_id user_name nickname email email_verified_at mobile mobile_verified_at password_changed_at language role_id registered_at cancel_requested_at",
        ],
        "addresses": [
          "country region first_name surname address postal_code is_default created_at updated_at",
        ],
        "asked_by_programs": [
          "reference lines currency amount_minor state created_at",
        ],
        "bank_lines": [],
        "cart": [
          "item quantity account_fields added_at",
        ],
        "cases": [
          "order kind reason text destination status answer created_at decided_at",
        ],
        "checks_before_delivery": [
          "screening_service asked_at answered_at",
          "years_at_least seen_at",
        ],
        "devices": [
          "browser system network signed_in_at seen_at ends_at",
        ],
        "favourites": [
          "product created_at",
        ],
        "given_by_the_shop": [
          "kind order amount_minor currency status asked_at",
        ],
        "invoices": [
          "number kind issued_at currency gross_minor tax_minor content buyer",
        ],
        "linked_services": [
          "platform issuer subject display_name linked_at",
        ],
        "mails": [
          "kind recipient language params created_at sent_at",
        ],
        "notes_of_the_team": [
          "text created_at",
        ],
        "notices": [
          "kind details created_at read_at",
        ],
        "orders": [
          "number status currency total_minor refunded_minor country evidence terms_version created_at lines notes",
        ],
        "pictures": [
          "address purpose width height sent_at",
          "address purpose width height sent_at",
        ],
        "player_names": [],
        "reseller": [
          "key name scopes networks created_at last_used_at revoked_at",
          "reference order state created_at",
        ],
        "reseller_tests": [
          "key name webhook created_at revoked_at",
          "reference order lines created_at",
        ],
        "reviews": [
          "brand rating text shown_as answer published_at",
        ],
        "saved_accounts": [
          "field_set label fields created_at",
        ],
        "sign_in_methods": [
          "kind name added used backed_up",
        ],
        "store_credit": [],
        "text_messages": [
          "mobile asked_at sent_at",
        ],
        "webhooks": [
          "url status created_at",
        ],
      }
    `)
    for (const text of [ZORA.seed, ZORA.answer])
      expect(JSON.stringify(sections)).not.toContain(text)
  })

  test('holds nothing of anybody else', async () => {
    const { ctx } = database
    const [one, other] = [await somebody(ctx), await somebody(ctx)]
    await signedIn(ctx, other.accountId)
    const text = JSON.stringify(await exportEverything(ctx, one))
    expect(text).not.toContain(other.email)
    expect(text).not.toContain(other.userName)
  })
})

describe('store credit', () => {
  const creditOf = async (accountId: string) =>
    (await listCredit(database.ctx.db, accountId)).map(({ minor, owedMinor }) => [minor, owedMinor])
  const give = (accountId: string, minor: bigint) =>
    transaction(database.ctx, (tx) =>
      grantCredit(tx, database.ctx, {
        accountId,
        money: { minor, currency: 'USD' },
        email: 'a@b.example',
      }),
    )
  const broken = async () =>
    (
      await database.ctx.db
        .selectFrom('invariant_of_books')
        .select('invariant')
        .where('invariant', 'like', '%erased%')
        .execute()
    ).map(({ invariant }) => invariant)

  test('who has some says that it goes with the account, keeps it for 30 days, and leaves none in the books', async () => {
    const { accountId } = await somebody(database.ctx, { withPassword: false })
    await give(accountId, 750n)
    expect(await refused(cancelAccount(database.ctx, { accountId }))).toMatchObject({
      code: 'check_fields',
    })
    expect((await rowOf(accountId)).status).toBe('active')
    await cancelAccount(database.ctx, { accountId }, { givesUpCredit: true })
    expect(await creditOf(accountId)).toEqual([[750n, 0n]])
    expect((await exportEverything(database.ctx, { accountId })).sections['store_credit']).toEqual([
      { currency: 'USD', balance_minor: '750', held_back_minor: '0', owed_minor: '0' },
    ])
    expect(await eraseAccount(after(31), accountId)).toBe(true)
    expect(await creditOf(accountId)).toEqual([])
    // Nor does what comes afterwards stay with nobody.
    await give(accountId, 20n)
    expect(await creditOf(accountId)).toEqual([])
    expect(await broken()).toEqual([])
  })

  test('what somebody owes is written off as they are erased', async () => {
    const { accountId } = await somebody(database.ctx, { withPassword: false })
    await give(accountId, 10n)
    await transaction(database.ctx, (tx) =>
      post(tx, database.ctx, [
        {
          source: 'reclaim',
          sourceId: database.ctx.newId(),
          debit: creditDebtOf(accountId),
          credit: LOSSES,
          currency: 'USD',
          amountMinor: 40n,
        },
      ]),
    )
    await give(accountId, 10n)
    expect(await creditOf(accountId)).toEqual([[0n, 20n]])
    await cancelAccount(database.ctx, { accountId })
    expect(await eraseAccount(after(31), accountId)).toBe(true)
    expect(await creditOf(accountId)).toEqual([])
    expect(await broken()).toEqual([])
  })

  test('while a bank disputes a payment nobody leaves, and nobody is erased', async () => {
    const { accountId } = await somebody(database.ctx, { withPassword: false })
    const { id } = await orderOf(database.ctx, accountId, {
      network: '198.51.100.0/24',
      subject: 's',
      answer: newPublicId(database.ctx),
    })
    await cancelOrder(database.ctx, accountId, await publicIdOf(id))
    await database.ctx.db
      .updateTable('shop_order')
      .set({ waived_at: database.ctx.now() })
      .where('id', '=', id)
      .execute()
    const attempt = database.ctx.newId()
    await database.ctx.db
      .insertInto('payment_attempt')
      .values({
        id: attempt,
        public_id: newPublicId(database.ctx),
        order_id: id,
        provider: 'fake',
        method: 'card',
        status: 'failed',
        currency: 'USD',
        amount_minor: '950',
        is_disputed: true,
        created_at: database.ctx.now(),
        updated_at: database.ctx.now(),
      })
      .execute()
    const dispute = (isDisputed: boolean) =>
      database.ctx.db
        .updateTable('payment_attempt')
        .set({ is_disputed: isDisputed })
        .where('id', '=', attempt)
        .execute()
    expect(await refused(cancelAccount(database.ctx, { accountId }))).toMatchObject({
      code: 'unfinished_orders',
    })
    await dispute(false)
    await cancelAccount(database.ctx, { accountId })
    await dispute(true)
    expect(await eraseAccount(after(31), accountId)).toBe(false)
    await dispute(false)
    expect(await eraseAccount(after(32), accountId)).toBe(true)
  })
})

const publicIdOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('public_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).public_id
