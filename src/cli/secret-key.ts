import { acceptProgramKey } from '#features/people/factor/commands.ts'
import { forgetUnreadable } from '#features/office/payment-service/commands.ts'
import { forgetUnreadableSuppliers } from '#features/office/supplier-service/commands.ts'
import type { OperatorRun } from './commands.ts'

export const acceptSecretKeyCommand: OperatorRun = async (ctx) => {
  const removed = await acceptProgramKey(ctx)
  const services = await forgetUnreadable(ctx)
  const suppliers = await forgetUnreadableSuppliers(ctx)
  const gone = (code: string, page: string) =>
    `Settings of ${code} were sealed with the old key and are gone: enter them anew in the console, at ${page}.\n`
  process.stdout.write(
    `The key that is there is the shop's own now. ${removed} ${removed === 1 ? 'authenticator app was' : 'authenticator apps were'} turned off, and their owners told.\n${services.map((code) => gone(code, 'Payments')).join('')}${suppliers.map((code) => gone(code, 'Suppliers')).join('')}`,
  )
  return 0
}
