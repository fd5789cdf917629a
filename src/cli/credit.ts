import { grantCreditByOperator } from '#features/buying/store-credit/commands.ts'
import { listDebts } from '#features/buying/store-credit/queries.ts'
import type { OperatorRun } from './commands.ts'
import { amountText, minorUnitsOf, readMoney } from './money.ts'
import { writeWaiting } from './waiting.ts'
import { explained, positionals, print, table } from './table.ts'

export const grantCommand: OperatorRun = async (ctx, args) => {
  const [email = '', amount = '', currency = ''] = positionals(args)
  const money = await readMoney(ctx, amount, currency)
  const waits = await explained(
    { not_found: `Nobody here has the address ${email}.` },
    grantCreditByOperator(ctx, { email, money }),
  )
  if (waits !== null) return writeWaiting(waits)
  process.stdout.write(`${email} has ${amount} ${currency.toUpperCase()} more to spend.\n`)
  return 0
}

export const listDebtsCommand: OperatorRun = async (ctx, args) => {
  const debts = await listDebts(ctx.db)
  const digits = await minorUnitsOf(ctx)
  print(args, debts, () =>
    debts.length === 0
      ? 'Nobody owes store credit.\n'
      : table(
          ['SHOPPER', 'OWES'],
          debts.map(({ email, currency, owedMinor }) => [
            email ?? 'erased',
            amountText(digits, owedMinor, currency),
          ]),
        ),
  )
  return 0
}
