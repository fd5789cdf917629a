import { run } from 'graphile-worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { startMailServer, type MailServer } from '../../../../test/support/mail-server.ts'
import { sha256 } from '#platform/secrets.ts'
import { secret } from '#platform/secret.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createLogger } from '#platform/log.ts'
import { jobLogger } from '#platform/jobs.ts'
import type { MailSender } from '#providers/mail/sender.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import {
  cleanUpMail,
  eraseMail,
  postMail,
  postMails,
  resumeMail,
  type NewMail,
} from './commands.ts'
import { sendMail } from './jobs.ts'
import { countWaiting, exportMail } from './queries.ts'

const database = useDatabase()
const shop = { publicUrl: 'https://shop.example', timeZone: 'UTC' }
let server: MailServer
let mail: MailSender

beforeAll(async () => {
  server = await startMailServer()
  mail = createSmtpSender({ url: secret(server.url), from: 'no-reply@shop.example' })
})
afterAll(async () => {
  mail.close()
  await server.stop()
})
beforeEach(async () => {
  for (const table of ['outgoing_mail', 'verification', 'account'] as const)
    await database.ctx.db.deleteFrom(table).execute()
  ;(server.raw as string[]).length = 0
  server.refuse = null
})

async function post(given: Partial<NewMail> & Pick<NewMail, 'kind'>): Promise<string> {
  const { ctx } = database
  await transaction(ctx, (tx) =>
    postMail(tx, ctx, {
      accountId: null,
      recipient: 'ann@shopper.example',
      language: 'en',
      ...given,
    }),
  )
  const { id } = await ctx.db
    .selectFrom('outgoing_mail')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

async function addAccount(
  email: string,
  nickname = 'Ann',
  eraseAt: Date | null = null,
): Promise<string> {
  const { ctx } = database
  const id = ctx.newId()
  const now = ctx.now()
  await ctx.db
    .insertInto('account')
    .values({
      id,
      user_id: Buffer.from(ctx.random(16)).toString('base64url'),
      uid: String(100_000_000 + Buffer.from(ctx.random(3)).readUIntBE(0, 3)),
      user_name: `user${id.replaceAll('-', '').slice(-12)}`,
      nickname,
      email,
      email_verified_at: now,
      language: 'en',
      registered_at: now,
      ...(eraseAt ? { status: 'cancelling', cancel_requested_at: now, erase_at: eraseAt } : {}),
    })
    .execute()
  return id
}

const send = (id: string, ctx: Ctx = database.ctx) => sendMail(ctx, { id }, { ...shop, mail })

test('a mail of a committed transaction arrives once, with a code and a link that are good, however often its job runs', async () => {
  const { ctx, url } = database
  const id = await post({ kind: 'register_code', language: 'ar' })
  const runner = await run({
    connectionString: url,
    concurrency: 2,
    noHandleSignals: true,
    logger: jobLogger(ctx.log),
    taskList: { send_mail: (payload) => sendMail(ctx, payload, { ...shop, mail }) },
  })
  await vi.waitFor(async () => expect(await countWaiting(ctx.db)).toBe(0), { timeout: 60_000 })
  await runner.stop()
  await send(id)
  await send(id)

  const [received, ...more] = await server.received()
  expect(more).toEqual([])
  expect(received).toMatchObject({
    messageId: `<${id}@shop.example>`,
    from: { name: 'Lukado', address: 'no-reply@shop.example' },
    to: [{ address: 'ann@shopper.example' }],
  })
  expect(received?.html).toContain('<html lang="ar" dir="rtl">')
  const code = /^\d{6}$/m.exec(received?.text ?? '')?.[0] ?? ''
  const key =
    /https:\/\/shop\.example\/ar\/mobile\/register\?key=(\S+)/.exec(received?.text ?? '')?.[1] ?? ''
  const row = await ctx.db.selectFrom('verification').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    purpose: 'register',
    target: 'ann@shopper.example',
    account_id: null,
    secret_hash: sha256(key),
  })
  expect(received?.subject).not.toContain(code)
  const kept = await ctx.db.selectFrom('outgoing_mail').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(kept)).not.toContain(code)
})

test('a mail whose worker died is taken up again, one that waits for its next try is left alone', async () => {
  const { ctx } = database
  const later = minutesLater(ctx, 10)
  await sql`truncate graphile_worker._private_jobs`.execute(ctx.db)
  const id = await post({ kind: 'password_changed' })
  await sql`update graphile_worker._private_jobs set attempts = 3, run_at = now() + interval '1 hour'`.execute(
    ctx.db,
  )
  await resumeMail(later)
  expect(await jobs()).toEqual([{ key: `mail:${id}`, attempts: 3, isLocked: false }])

  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'`.execute(
    ctx.db,
  )
  await resumeMail(ctx)
  expect(await jobs()).toEqual([{ key: `mail:${id}`, attempts: 3, isLocked: true }])
  await resumeMail(later)
  expect(await jobs()).toContainEqual({ key: `mail:${id}`, attempts: 0, isLocked: false })
})

test('mails posted together share a job, which is tried again for those that failed alone', async () => {
  const { ctx } = database
  await sql`truncate graphile_worker._private_jobs`.execute(ctx.db)
  const names = Array.from({ length: 20 }, (_, index) => `shopper${index}@shopper.example`)
  await transaction(ctx, (tx) =>
    postMails(
      tx,
      ctx,
      names.map((recipient) => ({
        kind: 'password_changed',
        accountId: null,
        recipient,
        language: 'en',
      })),
    ),
  )
  const { rows } = await sql<{
    payload: { ids: string[] }
  }>`select payload from graphile_worker._private_jobs order by id`.execute(ctx.db)
  expect(rows.map(({ payload }) => payload.ids.length)).toEqual([16, 4])
  const first = rows[0]?.payload
  await ctx.db
    .updateTable('outgoing_mail')
    .set({ kind: 'no_such_kind' })
    .where('recipient', '=', names[3] ?? '')
    .execute()
  server.refuse = { containing: 'shopper7@', code: 450, answer: '4.2.1 try later' }
  await expect(sendMail(ctx, first, { ...shop, mail })).rejects.toThrow()
  expect(server.raw).toHaveLength(14)
  server.refuse = null
  await ctx.db
    .updateTable('outgoing_mail')
    .set({ kind: 'password_changed' })
    .where('recipient', '=', names[3] ?? '')
    .execute()
  await sendMail(ctx, first, { ...shop, mail })
  expect((await server.received()).map(({ to }) => to?.[0]?.address).toSorted()).toEqual(
    names.slice(0, 16).toSorted(),
  )
  expect(await countWaiting(ctx.db)).toBe(4)
})

test('of a shared job whose worker died each mail is taken up again, once', async () => {
  const { ctx } = database
  const later = minutesLater(ctx, 10)
  await sql`truncate graphile_worker._private_jobs`.execute(ctx.db)
  await transaction(ctx, (tx) =>
    postMails(
      tx,
      ctx,
      ['a', 'b'].map((name) => ({
        kind: 'password_changed',
        accountId: null,
        recipient: `${name}@shopper.example`,
        language: 'en',
      })),
    ),
  )
  await resumeMail(later)
  expect(await jobs()).toHaveLength(1)
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'`.execute(
    ctx.db,
  )
  await resumeMail(later)
  await resumeMail(later)
  const ids = (await ctx.db.selectFrom('outgoing_mail').select('id').execute()).map(
    ({ id }) => `mail:${id}`,
  )
  expect(
    (await jobs())
      .filter(({ isLocked }) => !isLocked)
      .map(({ key }) => key ?? '')
      .toSorted(),
  ).toEqual(ids.toSorted())
})

async function jobs(): Promise<{ key: string | null; attempts: number; isLocked: boolean }[]> {
  const { rows } = await sql<{ key: string | null; attempts: number; isLocked: boolean }>`
    select key, attempts, locked_at is not null as "isLocked" from graphile_worker.jobs order by id`.execute(
    database.ctx.db,
  )
  return rows
}

test('while the mail server is down the job fails without telling the recipient, and later succeeds', async () => {
  const other = await startMailServer()
  const port = Number(new URL(other.url).port)
  await other.stop()
  const sender = createSmtpSender({
    url: secret(`smtp://127.0.0.1:${port}`),
    from: 'no-reply@shop.example',
  })
  const id = await post({ kind: 'register_code' })
  await expect(sendMail(database.ctx, { id }, { ...shop, mail: sender })).rejects.toThrow(
    'The mail was not handed over: ESOCKET CONN',
  )
  expect(await countWaiting(database.ctx.db)).toBe(1)

  const again = await startMailServer(port)
  await sendMail(database.ctx, { id }, { ...shop, mail: sender })
  expect(again.raw).toHaveLength(1)
  expect(await countWaiting(database.ctx.db)).toBe(0)
  sender.close()
  await again.stop()
})

test('a recipient refused for good is not tried again; a sender refused is', async () => {
  const { ctx } = database
  const lines: string[] = []
  const loud = { ...ctx, log: createLogger({ level: 'debug', write: (line) => lines.push(line) }) }
  server.refuse = {
    containing: 'nobody',
    code: 550,
    answer: '5.1.1 <nobody@shopper.example> unknown',
  }
  await send(await post({ kind: 'register_code', recipient: 'nobody@shopper.example' }), loud)
  expect(await countWaiting(ctx.db)).toBe(0)
  expect(lines.join('')).toContain('refused for good')
  server.refuse = { containing: 'nobody', code: 550, answer: '5.7.1 relaying denied' }
  const id = await post({ kind: 'register_code', recipient: 'nobody@shopper.example' })
  const failure = await send(id, loud).catch((error: unknown) => error as Error)
  expect(failure).toBeInstanceOf(Error)
  expect(`${String(failure)} ${lines.join('')}`).not.toContain('shopper.example')
  expect(await countWaiting(ctx.db)).toBe(1)
})

test('what an address gets depends on its account, and only the job knows', async () => {
  const { ctx } = database
  await addAccount('ann@shopper.example')
  await addAccount('leaving@shopper.example', 'Lea', new Date(ctx.now().getTime() + 5 * 86_400_000))
  await send(await post({ kind: 'register_code' }))
  await send(await post({ kind: 'reset_code' }))
  await send(await post({ kind: 'reset_code', recipient: 'nobody@shopper.example' }))
  await send(await post({ kind: 'reset_code', recipient: 'leaving@shopper.example' }))
  const subjects = (await server.received()).map(({ subject, to }) => [to?.[0]?.address, subject])
  expect(subjects).toEqual([
    ['ann@shopper.example', 'You already have a Lukado account'],
    ['ann@shopper.example', 'Reset your Lukado password'],
    ['leaving@shopper.example', 'Your Lukado account is being closed'],
  ])
  expect(await countWaiting(ctx.db)).toBe(0)
  const living = await ctx.db
    .selectFrom('verification')
    .select(['purpose', 'target', 'secret_hash'])
    .orderBy('purpose')
    .orderBy('target')
    .execute()
  // Where no code was sent a decoy stands in its place.
  expect(
    living.map(({ purpose, target, secret_hash: secret }) => [
      purpose,
      target,
      secret ? 'sent' : 'decoy',
    ]),
  ).toEqual([
    ['register', 'ann@shopper.example', 'decoy'],
    ['reset', 'ann@shopper.example', 'sent'],
    ['reset', 'leaving@shopper.example', 'decoy'],
    ['reset', 'nobody@shopper.example', 'decoy'],
    ['undo_cancel', '', 'sent'],
  ])
})

test('a new address that belongs to somebody else gets no code and no name', async () => {
  const own = await addAccount('ann@shopper.example', 'Ann')
  await addAccount('bob@shopper.example', 'Bob')
  await send(await post({ kind: 'email_code', accountId: own, recipient: 'bob@shopper.example' }))
  await send(await post({ kind: 'email_code', accountId: own, recipient: 'new@shopper.example' }))
  const [taken, free] = await server.received()
  expect(taken?.subject).toBe('You already have a Lukado account')
  expect(taken?.text).not.toMatch(/^\d{6}$/m)
  expect(free?.text).toMatch(/^\d{6}$/m)
  expect(`${taken?.text} ${free?.text}`).not.toContain('Ann')
})

test('a code that waited for an hour is not sent any more, other news is', async () => {
  const later = { ...database.ctx, now: () => new Date(Date.now() + 2 * 3_600_000) }
  const account = await addAccount('ann@shopper.example')
  await send(await post({ kind: 'reset_code' }), later)
  await send(await post({ kind: 'password_changed', accountId: account }), later)
  expect((await server.received()).map(({ subject }) => subject)).toEqual([
    'Your Lukado password was changed',
  ])
  expect(await countWaiting(database.ctx.db)).toBe(0)
})

test('mails go after 30 days, and with the account', async () => {
  const { ctx } = database
  const account = await addAccount('ann@shopper.example')
  await send(
    await post({
      kind: 'password_changed',
      accountId: account,
      params: { network: '203.0.113.0/24' },
    }),
  )
  await post({ kind: 'register_code' })
  await cleanUpMail(ctx)
  expect(await exportMail(ctx.db, account)).toMatchObject([
    { kind: 'password_changed', recipient: 'ann@shopper.example' },
  ])
  await cleanUpMail({ ...ctx, now: () => new Date(Date.now() + 31 * 86_400_000) })
  expect(await ctx.db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([])

  await post({ kind: 'password_changed', accountId: account })
  await post({ kind: 'register_code', recipient: 'bob@shopper.example' })
  await transaction(ctx, (tx) => eraseMail(tx, account))
  expect(await ctx.db.selectFrom('outgoing_mail').select('kind').execute()).toEqual([
    { kind: 'register_code' },
  ])
})

test('a broken line in an address or a name never reaches the server', async () => {
  const message = {
    messageId: '<1@shop.example>',
    to: 'ann@shopper.example',
    fromName: 'Lukado',
    subject: 'Hello',
    text: '.',
    html: '<p>.',
    language: 'en',
  }
  for (const part of ['messageId', 'to', 'fromName', 'subject', 'language'] as const)
    for (const end of ['\r\n', '\n', '\r', '\0'])
      await expect(
        mail.send({ ...message, [part]: `x${end}Bcc: eve@evil.example` }),
      ).rejects.toThrow('line end')
  await mail.send({
    ...message,
    fromName: 'A "shop", <eve@evil.example>',
    subject: '=?utf-8?q?=0D=0ABcc:?= ☺',
  })
  const [received] = await server.received()
  expect(received).toMatchObject({
    from: { name: 'A "shop", <eve@evil.example>', address: 'no-reply@shop.example' },
    subject: '=?utf-8?q?=0D=0ABcc:?= ☺',
  })
  expect(received?.headers.map(({ key }) => key)).not.toContain('bcc')
})

test('covers go along with a mail, each once, and one that cannot be drawn keeps no mail back', async () => {
  const line = (name: string, picture: string | null) => ({
    name,
    detail: '1 × 10 USD',
    amount: '$10.00',
    picture,
  })
  const id = await post({
    kind: 'order_delivered',
    language: 'ar',
    params: {
      order: {
        id: 'pZ1xqk0bRk2v8k4y6c9w1A',
        number: '4829103756214',
        goods: [],
        lines: [line('One', 'one'), line('Same', 'one'), line('Broken', 'two'), line('None', null)],
        fee: '',
        total: '$40.00',
        amount: '',
        variant: 'keys',
        minutes: null,
      },
    },
  })
  const asked: string[] = []
  await sendMail(
    database.ctx,
    { id },
    {
      ...shop,
      mail,
      drawCover: (_db, code, isMirrored) => {
        asked.push(`${code} ${isMirrored}`)
        return code === 'one'
          ? Promise.resolve(Buffer.from('a picture'))
          : Promise.reject(new Error('nobody draws'))
      },
    },
  )
  expect(asked).toEqual(['one true', 'two true'])
  const [received] = await server.received()
  expect(received?.html?.match(/cid:[\w-]+/g)).toEqual(['cid:logo', 'cid:cover-1', 'cid:cover-1'])
  expect(
    received?.attachments.map((each) => [each.contentId, each.mimeType, each.disposition]),
  ).toEqual([
    ['<logo>', 'image/png', 'inline'],
    ['<cover-1>', 'image/png', 'inline'],
  ])
  const [, cover] = received?.attachments ?? []
  expect(Buffer.from((cover?.content ?? '') as ArrayBuffer).toString()).toBe('a picture')
})
