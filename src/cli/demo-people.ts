import { createAccount } from '#features/account/commands.ts'
import { storeCreditOf } from '#features/ledger/rules.ts'
import { grantCredit } from '#features/store-credit/commands.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { writeDemoPeople } from './demo-people-file.ts'

const SHOPPER = { email: 'shopper@lukado.example', user_name: 'demoshopper' }
/** Minor units of store credit to try buying with. */
const CREDIT = { minor: 5_000n, currency: 'USD' }
const LETTERS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789'] as const
const PASSWORD_LENGTH = 18

/** Makes the demo's shopper, with a password nobody else has, or gives the one that is there a new password. */
export const demoPeopleCommand: Run = async () => {
  const config = configFromEnvironment()
  if (!config.demo) throw refusal('Only a demo shop has people made for it; this one is set up for real.')
  await withContext('system', async (ctx) => {
    const password = newPassword(ctx)
    await makeShopper(ctx, await hashPassword(password))
    writeDemoPeople(config.dataDirectory, { shopper: { ...SHOPPER, password } })
  })
  return 0
}

async function makeShopper(ctx: Ctx, passwordHash: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const changed = await tx
      .updateTable('account')
      .set({ password_hash: passwordHash, password_changed_at: now })
      .where('email', '=', SHOPPER.email)
      .returning('id')
      .executeTakeFirst()
    const accountId = changed?.id ?? (await createAccount(tx, ctx, { email: SHOPPER.email, userName: SHOPPER.user_name, nickname: 'Sam Shopper', passwordHash, language: 'en' }))
    await grantOnce(tx, ctx, accountId)
  })
}

/** Credit that was spent is not given again. */
async function grantOnce(tx: Tx, ctx: Ctx, accountId: string): Promise<void> {
  const isKnown = await tx.selectFrom('currency').select('code').where('code', '=', CREDIT.currency).executeTakeFirst()
  const had = await tx.selectFrom('ledger_account').select('id').where('code', '=', storeCreditOf(accountId)).executeTakeFirst()
  if (isKnown && !had) await grantCredit(tx, ctx, { accountId, money: CREDIT, email: SHOPPER.email })
}

/** Every kind of character the shop's rule asks for, in turn, so that it is met by any draw. */
function newPassword({ random }: Pick<Ctx, 'random'>): string {
  return Array.from(random(PASSWORD_LENGTH), (byte, index) => {
    const letters = LETTERS[index % LETTERS.length] ?? LETTERS[0]
    return letters[byte % letters.length]
  }).join('')
}
