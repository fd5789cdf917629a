import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSpendable } from '#features/buying/store-credit/queries.ts'
import { addCurrencies } from '../../test/support/buying.ts'
import { runCommand } from '../../test/support/command.ts'
import { useDatabase } from '../../test/support/database.ts'
import { addAccount } from '../../test/support/accounts.ts'

const PASSWORD = 'correct horse battery'
const OWN_PASSWORD = 'nobody else knows it'
const database = useDatabase()
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-approvals-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function cli(operator: string, ...args: string[]) {
  return run(operator, { OPERATOR_PASSWORD: passwords.get(operator) ?? PASSWORD }, ...args)
}

/** Who has chosen a password of their own. */
const passwords = new Map<string, string>()

function run(operator: string, environment: Record<string, string>, ...args: string[]) {
  return runCommand([...args, '--as', operator], {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    OPERATOR_NEW_PASSWORD: PASSWORD,
    ...environment,
  })
}

const [EMAIL, OTHER] = ['shopper@shop.example', 'other@shop.example']

async function ask(operator: string, email: string): Promise<string> {
  const { code, out, complaint } = await cli(operator, 'credit', 'grant', email, '150.00', 'USD')
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
  return /approvals approve (\S+) --as/.exec(out)?.[1] ?? ''
}

async function creditOf(accountId: string): Promise<bigint> {
  return getSpendable(database.ctx.db, accountId, 'USD')
}

test('what is above the limits waits for another person, who approves or refuses it from a shell', async () => {
  await addCurrencies(database.ctx)
  const shopper = await addAccount(database.ctx, { email: EMAIL })
  await addAccount(database.ctx, { email: OTHER })
  for (const name of ['mara', 'aiko'])
    expect(await cli('mara', 'operator', 'create', name, 'owner')).toMatchObject({ code: 0 })

  const [wanted, unwanted] = [await ask('mara', EMAIL), await ask('mara', OTHER)]
  expect(await creditOf(shopper)).toBe(0n)
  const listed = await cli('aiko', 'approvals', 'list')
  expect(listed).toMatchObject({ code: 0, complaint: '' })
  const lines = listed.out.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^APPROVAL +ASKED \(UTC\) +UNTIL \(UTC\) +BY +TO +ABOUT +ORDER +AMOUNT$/)
  expect(lines.slice(1)).toEqual(
    [
      [wanted, EMAIL],
      [unwanted, OTHER],
    ].map(([approval, email]) =>
      expect.stringMatching(
        `^${approval} .* operator:mara +give store credit +${email} .*150\\.00 USD$`,
      ),
    ),
  )
  const asJson = await cli('aiko', 'approvals', 'list', '--json')
  expect(JSON.parse(asJson.out)).toMatchObject([
    { publicId: wanted, kind: 'store_credit', money: { minor: '15000', currency: 'USD' } },
    { publicId: unwanted },
  ])

  expect(await cli('mara', 'approvals', 'approve', wanted)).toEqual({
    code: 1,
    out: '',
    complaint: 'Whoever asked for something cannot approve it: another person must.\n',
  })
  // Whoever knows the other's password may be the other.
  expect(await cli('aiko', 'approvals', 'approve', wanted)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('choose your own with operator password aiko'),
  })
  expect(await creditOf(shopper)).toBe(0n)
  const own = { OPERATOR_PASSWORD: PASSWORD, OPERATOR_NEW_PASSWORD: OWN_PASSWORD }
  expect(await run('aiko', own, 'operator', 'password', 'aiko')).toMatchObject({ code: 0 })
  passwords.set('aiko', OWN_PASSWORD)
  expect(await cli('aiko', 'approvals', 'approve', wanted)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('less than 24 hours ago'),
  })
  const longAgo = new Date(database.ctx.now().getTime() - 3 * 86_400_000)
  await database.ctx.db
    .updateTable('operator')
    .set({ created_at: longAgo, password_set_at: longAgo })
    .execute()
  expect(await cli('aiko', 'approvals', 'approve', wanted)).toEqual({
    code: 0,
    out: 'Approved, for operator:mara: give store credit.\n',
    complaint: '',
  })
  expect(await creditOf(shopper)).toBe(15_000n)

  expect(await cli('aiko', 'approvals', 'refuse', unwanted, ' ')).toMatchObject({
    code: 1,
    complaint: 'The reason stands in the audit trail, in 1 to 500 characters.\n',
  })
  expect(await cli('aiko', 'approvals', 'refuse', unwanted, 'not ours to give')).toEqual({
    code: 0,
    out: 'Refused. Nothing is done.\n',
    complaint: '',
  })
  expect(await cli('aiko', 'approvals', 'approve', unwanted)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('That was decided'),
  })
  expect(await cli('aiko', 'approvals', 'approve', 'x'.repeat(22))).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('There is no such approval.'),
  })
  expect(await creditOf(shopper)).toBe(15_000n)
  expect(await cli('aiko', 'approvals', 'list')).toEqual({
    code: 0,
    out: 'Nothing waits for another person.\n',
    complaint: '',
  })
})
