import { createAccount } from '#features/account/commands.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { writeDemoPeople } from './demo-people-file.ts'

const SHOPPER = { email: 'shopper@lukado.example', user_name: 'demoshopper' }
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
    if (!changed) await createAccount(tx, ctx, { email: SHOPPER.email, userName: SHOPPER.user_name, nickname: 'Sam Shopper', passwordHash, language: 'en' })
  })
}

/** Every kind of character the shop's rule asks for, in turn, so that it is met by any draw. */
function newPassword({ random }: Pick<Ctx, 'random'>): string {
  return Array.from(random(PASSWORD_LENGTH), (byte, index) => {
    const letters = LETTERS[index % LETTERS.length] ?? LETTERS[0]
    return letters[byte % letters.length]
  }).join('')
}
