import { createAccount, setPassword } from '#features/people/account/commands.ts'
import { findAccount } from '#features/people/account/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { hasHadCredit } from '#features/buying/store-credit/queries.ts'
import {
  actingAs,
  changeProfile,
  createFirstOwner,
  recoverOwner,
} from '#features/team/operator/commands.ts'
import { listOperators } from '#features/team/operator/queries.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { writeDemoPeople, type DemoPeople } from './demo-people-file.ts'

const SHOPPER = { email: 'shopper@lukado.example', user_name: 'demoshopper' }
/** Minor units of store credit to try buying with. */
const CREDIT = { minor: 5_000n, currency: 'USD' }
const LETTERS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789'] as const
const PASSWORD_LENGTH = 18

/** Signs in to the console by either, and in a demo without a second factor. */
const OPERATOR = { name: 'demo', email: 'demo@lukado.example' }

/** Makes the demo's shopper and operator, with passwords nobody else has, or gives those that are there new ones. */
export const demoPeopleCommand: Run = async () => {
  const config = configFromEnvironment()
  if (!config.demo)
    throw refusal('Only a demo shop has people made for it; this one is set up for real.')
  await withContext('system', async (ctx) => {
    const password = newPassword(ctx)
    await makeShopper(ctx, await hashPassword(password))
    const shopper = { ...SHOPPER, password }
    const operator = await makeOperator(ctx)
    writeDemoPeople(config.dataDirectory, operator ? { operator, shopper } : { shopper })
  })
  return 0
}

/** Null in a demo whose operators are others: nobody is made an owner beside them. */
async function makeOperator(ctx: Ctx): Promise<DemoPeople['operator'] | null> {
  const password = newPassword(ctx)
  const operators = await listOperators(ctx.db, ctx.now())
  const { name, email } = OPERATOR
  const known = operators.find((operator) => operator.name === name)
  if (known) await recoverOwner(ctx, name, password)
  else if (operators.length > 0) return null
  const operator = known ?? (await createFirstOwner(ctx, { name, password }))
  await changeProfile(actingAs(ctx, operator), { email, displayName: 'Dana Demo' })
  return { name, email, password }
}

async function makeShopper(ctx: Ctx, passwordHash: string): Promise<void> {
  const known = await findAccount(ctx.db, { kind: 'email', text: SHOPPER.email })
  const isCurrency = (await listCurrencies(ctx.db)).some(({ code }) => code === CREDIT.currency)
  await transaction(ctx, async (tx) => {
    if (known) await setPassword(tx, ctx, known.id, passwordHash)
    const accountId =
      known?.id ??
      (await createAccount(tx, ctx, {
        email: SHOPPER.email,
        userName: SHOPPER.user_name,
        nickname: 'Sam Shopper',
        passwordHash,
        language: 'en',
      }))
    // Credit that was spent is not given again.
    if (isCurrency && !(await hasHadCredit(tx, accountId)))
      await grantCredit(tx, ctx, { accountId, money: CREDIT, email: SHOPPER.email })
  })
}

/** Every kind of character the shop's rule asks for, in turn, so that it is met by any draw. */
function newPassword({ random }: Pick<Ctx, 'random'>): string {
  return Array.from(random(PASSWORD_LENGTH), (byte, index) => {
    const letters = LETTERS[index % LETTERS.length] ?? LETTERS[0]
    return letters[byte % letters.length]
  }).join('')
}
