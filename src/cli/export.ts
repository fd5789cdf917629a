import { resolve } from 'node:path'
import { exportCatalogueByOperator } from '#features/goods/transfer/flows.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { positionals } from './table.ts'

export const exportCommand: OperatorRun = async (ctx, args) => {
  const target = resolve(positionals(args)[0] ?? '')
  const report = await exportCatalogueByOperator(ctx, target)
  if (!report)
    throw refusal(`${target} holds something other than a catalogue; name a new or empty folder.`)
  process.stdout.write(
    `Wrote catalogue ${report.name} to ${target}: ${report.items} items in ${report.files} files.\n`,
  )
  return 0
}
