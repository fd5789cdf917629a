import { resolve } from 'node:path'
import { exportCatalogue } from '#features/transfer/flows.ts'
import { refusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'

export const exportCommand: Run = async ([folder = '']) => {
  const target = resolve(folder)
  const report = await withContext('export', (ctx) => exportCatalogue(ctx, target))
  if (!report)
    throw refusal(`${target} holds something other than a catalogue; name a new or empty folder.`)
  process.stdout.write(
    `Wrote catalogue ${report.name} to ${target}: ${report.items} items in ${report.files} files.\n`,
  )
  return 0
}
