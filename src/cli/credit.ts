import { findAccount } from '#features/account/queries.ts'
import { grantCredit } from '#features/store-credit/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { readMoney } from './money.ts'
import { operatorOf, positionals } from './table.ts'

export const grantCommand: Run = async (args) => {
  const [email = '', amount = '', currency = ''] = positionals(args)
  await withContext(`operator:${operatorOf(args)}`, async (ctx) => {
    const money = await readMoney(ctx, amount, currency)
    const account = await findAccount(ctx.db, { kind: 'email', text: email.toLowerCase() })
    if (account?.status !== 'active') throw refusal(`Nobody here has the address ${email}.`)
    await transaction(ctx, (tx) =>
      grantCredit(tx, ctx, { accountId: account.id, money, email: email.toLowerCase() }),
    )
  })
  process.stdout.write(`${email} has ${amount} ${currency.toUpperCase()} more to spend.\n`)
  return 0
}
