import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { approveAct } from '#features/office/approval/commands.ts'
import { forgetOldEvidence } from '#features/leaving/retention/commands.ts'
import { present } from '#kernel/assert.ts'
import { transaction } from '#platform/ctx.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../test/support/buying.ts'
import { minutesLater } from '../test/support/clock.ts'
import { useDatabase } from '../test/support/database.ts'
import { createFakePayments } from '../test/support/fake-payment.ts'
import { asOperator } from '../test/support/operators.ts'
import { beginPaying } from '../test/support/paying.ts'
import { refused } from '../test/support/people.ts'
import {
  bankTransfers,
  eraseBankLines,
  importStatement,
  matchLine,
  recordReceipt,
  setLineAside,
  takeLineUp,
} from '#features/buying/bank-transfer/commands.ts'
import {
  exportBankLines,
  findTransfer,
  getCandidate,
  getLine,
  listLines,
  suggestOrders,
} from '#features/buying/bank-transfer/queries.ts'

const database = useDatabase()
const CODE = 'bank-transfer'
const services = () => ({
  providers: new Map([[CODE, bankTransfers(database.ctx)]]),
  publicUrl: 'https://shop.example',
})
const ann = () => asOperator(database.ctx)
const finance = () => asOperator(database.ctx, 'fin', 'finance')

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

let days = 0
/** A statement with these amounts, on a day of its own. */
function statement(...rows: readonly (readonly [amount: string, text: string])[]): Buffer {
  days += 1
  const day = new Date(Date.UTC(2026, 0, days)).toISOString().slice(0, 10)
  return Buffer.from(
    `date,amount,currency,payer,text\n${rows.map(([amount, text]) => `${day},${amount},USD,Ada Lovelace,${text}\n`).join('')}`,
  )
}

async function begun() {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'L', 1)
  const made = await buy(database.ctx, [{ item }])
  await beginPaying(database.ctx, services(), made, { provider: CODE, method: CODE })
  return made
}

async function lineOf(amount: string, text: string) {
  await importStatement(ann(), statement([amount, text]), { isTrial: false })
  return present((await listLines(database.ctx.db, true, null, 1))[0], 'a line')
}

const statusOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

test('a trial writes nothing, a file is taken in once, and a line that two files hold counts once', async () => {
  const file = statement(['1.00', 'one'], ['1.00', 'one'], ['x', 'two'])
  const count = async () => (await listLines(database.ctx.db, true, null, 100)).length
  const before = await count()
  const tried = await importStatement(ann(), file, { isTrial: true })
  expect([tried.fresh.length, tried.known, tried.faults]).toEqual([
    2,
    0,
    [{ line: 4, fault: 'amount' }],
  ])
  expect(await count()).toBe(before)
  const [one, other] = await Promise.all([
    importStatement(ann(), file, { isTrial: false }),
    importStatement(finance(), file, { isTrial: false }),
  ])
  expect([one.statementId, other.statementId].filter((id) => id !== null)).toHaveLength(1)
  expect(await count()).toBe(before + 2)
  const longer = Buffer.concat([file, Buffer.from('2026-02-03,7.00,USD,Ada,three\n')])
  const again = await importStatement(ann(), longer, { isTrial: false })
  expect([again.fresh.length, again.known]).toEqual([1, 2])
})

describe('money that was noted by hand before its statement came', () => {
  const noted = async (minor = 1_000n) => {
    const order = await begun()
    const receipt = { orderNumber: order.number, money: { minor, currency: 'USD' } }
    const { attemptId } = await recordReceipt(ann(), { ...receipt, reference: randomUUID() })
    await checkPayment(database.ctx, services(), attemptId)
    return { ...order, attemptId }
  }
  const receivedFor = async (attemptId: string) =>
    (await findTransfer(database.ctx.db, attemptId))?.received?.minor

  test('is known as it, and counts once', async () => {
    const { number, attemptId, accountId } = await noted()
    const line = await lineOf('10.00', 'no number at all')
    const [best] = (await suggestOrders(database.ctx.db, [line])).get(line.publicId) ?? []
    expect(best).toMatchObject({ orderNumber: number, reasons: ['amount', 'noted'] })
    const match = { line: line.publicId, orderNumber: number, seenMinor: 1_000n }
    // Nobody has said whether it is that money.
    expect((await refused(matchLine(ann(), match))).code).toBe('changed_meanwhile')
    const known = { ...match, as: 'noted' } as const
    expect(await matchLine(ann(), known)).toMatchObject({ isNew: false, waits: null })
    expect(await matchLine(finance(), known)).toMatchObject({ isNew: false })
    expect(await receivedFor(attemptId)).toBe(1_000n)
    expect(await getLine(database.ctx.db, line.publicId)).toMatchObject({
      outcome: 'matched',
      orderNumber: number,
    })
    // The same money is not known as that of a second line.
    const second = await lineOf('10.00', `again ${number}`)
    const again = { line: second.publicId, orderNumber: number, seenMinor: 1_000n, as: 'noted' }
    expect((await refused(matchLine(ann(), again as typeof known))).code).toBe('changed_meanwhile')
    expect(await exportBankLines(database.ctx.db, accountId)).toHaveLength(1)
    await transaction(database.ctx, (tx) => eraseBankLines(tx, accountId))
    expect(await getLine(database.ctx.db, line.publicId)).toMatchObject({ payer: null, text: '' })
  })

  test('is that money though it waits for a second person, and is known as it once that has approved it', async () => {
    const { number } = await begun()
    const money = { minor: 90_000n, currency: 'USD' }
    const byHand = { orderNumber: number, money, reference: randomUUID() }
    const waits = present((await recordReceipt(finance(), byHand)).waits, 'an act')
    const line = await lineOf('900.00', number)
    const match = { line: line.publicId, orderNumber: number, seenMinor: 0n }
    expect((await refused(matchLine(ann(), match))).code).toBe('changed_meanwhile')
    const known = { ...match, as: 'noted' } as const
    expect((await refused(matchLine(ann(), known))).code).toBe('changed_meanwhile')
    await approveAct(ann(), waits)
    expect(await matchLine(ann(), known)).toMatchObject({ isNew: false, waits: null })
  })

  test('is other money where a person says so', async () => {
    const { number, attemptId } = await noted(400n)
    const line = await lineOf('4.00', number)
    const match = { line: line.publicId, orderNumber: number, seenMinor: 400n, as: 'new' } as const
    expect(await matchLine(ann(), match)).toMatchObject({ isNew: true })
    expect(await receivedFor(attemptId)).toBe(800n)
  })

  test('the other way round: what a statement brought is not noted by hand once more, unless it is other money', async () => {
    const { number } = await begun()
    const line = await lineOf('4.00', number)
    const { attemptId } = await matchLine(ann(), {
      line: line.publicId,
      orderNumber: number,
      seenMinor: 0n,
    })
    const money = { minor: 400n, currency: 'USD' }
    const byHand = { orderNumber: number, money, reference: randomUUID() }
    expect((await refused(recordReceipt(ann(), byHand))).code).toBe('changed_meanwhile')
    expect(await receivedFor(attemptId)).toBe(400n)
    await recordReceipt(ann(), { ...byHand, isAnother: true })
    expect(await receivedFor(attemptId)).toBe(800n)
  })
})

test('two payers whose bank gave them one reference are two lines, and known again in another file', async () => {
  const paid = (payer: string) =>
    `<Ntry><Amt Ccy="USD">12.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-10-01</Dt></BookgDt><AcctSvcrRef>BATCH-7</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>`
  const file = (...entries: string[]) =>
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
    )
  const first = file(paid('Ada'), paid('Grace'))
  expect((await importStatement(ann(), first, { isTrial: false })).fresh).toHaveLength(2)
  const longer = file(paid('Ada'), paid('Grace'), paid('Edith'))
  const again = await importStatement(ann(), longer, { isTrial: false })
  expect([again.fresh.map(({ payer }) => payer), again.known]).toEqual([['Edith'], 2])
})

test('a role without the power neither imports nor matches nor sets aside', async () => {
  const { number } = await begun()
  const line = await lineOf('2.00', 'role')
  const reader = asOperator(database.ctx, 'ro', 'read-only')
  const acts = [
    importStatement(reader, statement(['1.00', 'x']), { isTrial: true }),
    matchLine(reader, { line: line.publicId, orderNumber: number, seenMinor: 0n }),
    setLineAside(reader, line.publicId, 'x'),
    takeLineUp(reader, line.publicId),
  ]
  for (const act of acts) expect((await refused(act)).code).toBe('forbidden')
})

test('a matched line pays its order, and of two people at once one does it', async () => {
  const { id, number } = await begun()
  const line = await lineOf('10.00', `for ${number}`)
  const [best] = (await suggestOrders(database.ctx.db, [line])).get(line.publicId) ?? []
  expect(best).toMatchObject({ orderNumber: number, score: 100 })
  const match = (ctx: ReturnType<typeof ann>) =>
    matchLine(ctx, { line: line.publicId, orderNumber: number, seenMinor: 0n })
  const done = await Promise.all([match(ann()), match(finance())])
  expect(done.map(({ isNew }) => isNew).toSorted()).toEqual([false, true])
  await checkPayment(database.ctx, services(), done[0].attemptId)
  expect(await statusOf(id)).toBe('completed')
  expect(await getLine(database.ctx.db, line.publicId)).toMatchObject({
    outcome: 'matched',
    orderNumber: number,
  })
  expect((await refused(setLineAside(ann(), line.publicId, 'late'))).code).toBe('changed_meanwhile')
})

test('of two people who match a line to two orders at once one is told that it changed', async () => {
  const [first, second] = [await begun(), await begun()]
  const line = await lineOf('10.00', 'which one')
  const outcomes = await Promise.allSettled(
    [first, second].map(({ number }, index) =>
      matchLine(index === 0 ? ann() : finance(), {
        line: line.publicId,
        orderNumber: number,
        seenMinor: 0n,
      }),
    ),
  )
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const receipts = await database.ctx.db
    .selectFrom('bank_receipt')
    .select('id')
    .where('reference', '=', `line ${line.publicId}`)
    .execute()
  expect(receipts).toHaveLength(1)
})

test('what was seen before money came does nothing, and money of the order’s own line is not noted twice', async () => {
  const { number } = await begun()
  const [first, second] = [await lineOf('4.00', number), await lineOf('6.00', number)]
  await matchLine(ann(), { line: first.publicId, orderNumber: number, seenMinor: 0n })
  const stale = matchLine(ann(), { line: second.publicId, orderNumber: number, seenMinor: 0n })
  expect((await refused(stale)).code).toBe('changed_meanwhile')
  expect((await getLine(database.ctx.db, second.publicId)).outcome).toBeNull()
  await matchLine(ann(), { line: second.publicId, orderNumber: number, seenMinor: 400n })
})

test('above a limit a match waits; another person approves it, and it cannot be set aside meanwhile', async () => {
  const { number } = await begun()
  const line = await lineOf('900.00', number)
  const asked = await matchLine(finance(), {
    line: line.publicId,
    orderNumber: number,
    seenMinor: 0n,
  })
  const waits = present(asked.waits, 'an act')
  expect(await getLine(database.ctx.db, line.publicId)).toMatchObject({ outcome: null, waits })
  expect((await refused(setLineAside(ann(), line.publicId, 'x'))).code).toBe('changed_meanwhile')
  expect((await refused(approveAct(finance(), waits))).code).toBe('needs_another')
  expect((await getLine(database.ctx.db, line.publicId)).outcome).toBeNull()
})

test('what waits is not noted once other money of the order was: that may be the same transfer', async () => {
  const { number } = await begun()
  const line = await lineOf('900.00', number)
  const asked = await matchLine(finance(), {
    line: line.publicId,
    orderNumber: number,
    seenMinor: 0n,
  })
  const waits = present(asked.waits, 'an act')
  await recordReceipt(ann(), {
    orderNumber: number,
    money: { minor: 400n, currency: 'USD' },
    reference: 'by hand',
  })
  expect((await refused(approveAct(ann(), waits))).code).toBe('changed_meanwhile')
  expect(await getLine(database.ctx.db, line.publicId)).toMatchObject({ outcome: null, waits })
})

test('a line is set aside and taken up again, once each; what is set aside is matched to nothing', async () => {
  const { number } = await begun()
  const line = await lineOf('3.00', 'interest')
  await setLineAside(ann(), line.publicId, 'Interest.')
  expect((await refused(setLineAside(finance(), line.publicId, 'x'))).code).toBe(
    'changed_meanwhile',
  )
  const match = { line: line.publicId, orderNumber: number, seenMinor: 0n }
  expect((await refused(matchLine(ann(), match))).code).toBe('changed_meanwhile')
  await takeLineUp(ann(), line.publicId)
  expect((await refused(takeLineUp(ann(), line.publicId))).code).toBe('changed_meanwhile')
  expect((await refused(takeLineUp(ann(), 'A'.repeat(22)))).code).toBe('not_found')
})

test('who paid and what they wrote goes with the account, and with its term', async () => {
  const { number, accountId } = await begun()
  const line = await lineOf('10.00', `mine ${number}`)
  await matchLine(ann(), { line: line.publicId, orderNumber: number, seenMinor: 0n })
  expect(await exportBankLines(database.ctx.db, accountId)).toMatchObject([
    { payer: 'Ada Lovelace' },
  ])
  await transaction(database.ctx, (tx) => eraseBankLines(tx, accountId))
  expect(await getLine(database.ctx.db, line.publicId)).toMatchObject({ payer: null, text: '' })
  const open = await lineOf('1.50', 'old')
  await forgetOldEvidence(minutesLater(database.ctx, 900 * 24 * 60))
  expect(await getLine(database.ctx.db, open.publicId)).toMatchObject({ payer: null, text: '' })
})

test('a line for an order that was begun to be paid otherwise pays for it, and for no other', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'P', 2)
  const [order, other] = [await buy(database.ctx, [{ item }]), await buy(database.ctx, [{ item }])]
  const fake = createFakePayments()
  const paying = {
    providers: new Map([...services().providers, ['fake', fake.provider]]),
    publicUrl: 'https://shop.example',
  }
  await beginPaying(database.ctx, paying, order)
  const line = await lineOf('10.00', `for ${order.number}`)
  expect(await getCandidate(database.ctx.db, order.number)).toMatchObject({
    asked: { minor: 1_000n, currency: 'USD' },
    isOpen: true,
  })
  // Nobody has agreed to pay for this one.
  expect((await refused(getCandidate(database.ctx.db, other.number))).code).toBe('not_found')
  const wrong = { line: line.publicId, orderNumber: other.number, seenMinor: 0n }
  expect((await refused(matchLine(ann(), wrong))).code).toBe('not_found')
  const match = { ...wrong, orderNumber: order.number }
  const { attemptId } = await matchLine(ann(), match)
  expect(await matchLine(ann(), match)).toMatchObject({ attemptId, isNew: false })
  await checkPayment(database.ctx, paying, attemptId)
  expect(await statusOf(order.id)).toBe('completed')
})
