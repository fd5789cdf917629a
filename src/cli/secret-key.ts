import { acceptProgramKey } from '#features/people/factor/commands.ts'
import type { OperatorRun } from './commands.ts'

export const acceptSecretKeyCommand: OperatorRun = async (ctx) => {
  const removed = await acceptProgramKey(ctx)
  process.stdout.write(
    `The key that is there is the shop's own now. ${removed} ${removed === 1 ? 'authenticator app was' : 'authenticator apps were'} turned off, and their owners told.\n`,
  )
  return 0
}
