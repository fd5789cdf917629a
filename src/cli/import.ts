import { resolve } from 'node:path'
import { nameDemo } from '#features/office/setting/commands.ts'
import {
  DEMO_FOLDER,
  importCatalogue,
  importCatalogueByOperator,
} from '#features/goods/transfer/commands.ts'
import { formatFault, type ImportReport } from '#features/goods/transfer/rules.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun, Run } from './commands.ts'
import { withContext } from './context.ts'
import { positionals } from './table.ts'

export const importCommand: OperatorRun = async (ctx, args) => {
  const folder = resolve(positionals(args)[0] ?? '')
  return printReport(await importCatalogueByOperator(ctx, folder))
}

function printReport(report: ImportReport): number {
  if (report.faults.length > 0) {
    const count = report.faults.length === 1 ? 'One fault' : `${report.faults.length} faults`
    process.stderr.write(
      `${report.faults.map(formatFault).join('\n')}\n${count}; nothing was changed.\n`,
    )
    return 1
  }
  process.stdout.write(`${describeReport(report).join('\n')}\n`)
  return 0
}

/** A demo shop's own goods; a shop that is set up for real imports a folder by an operator. */
export const demoGoodsCommand: Run = async () => {
  if (!configFromEnvironment().demo)
    throw refusal('Only a demo shop fills itself; this one is set up for real.')
  return withContext('import', async (ctx) => {
    await nameDemo(ctx)
    return printReport(await importCatalogue(ctx, DEMO_FOLDER))
  })
}

/** The lines an operator reads after an import: what changed in each table, then what the languages lack. */
export function describeReport(report: ImportReport): string[] {
  if (report.changeCount === 0)
    return ['The catalogue is as the folder says already; nothing was changed.']
  const tables = [...report.changes].map(([table, counts]) => {
    const parts = Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what}`)
    return `  ${table}: ${parts.join(', ')}`
  })
  const lacking = [...report.words].flatMap(([language, { missingPhrases, stale }]) => {
    const parts = [
      missingPhrases > 0 && `${missingPhrases} phrases shown in English`,
      stale > 0 && `${stale} texts older than their English`,
    ].filter(Boolean)
    return parts.length > 0 ? [`  ${language}: ${parts.join(', ')}`] : []
  })
  return [
    `Imported ${report.source.replace(/^catalogue:/, '')}:`,
    ...tables,
    ...(report.renamed > 0 ? [`  renamed: ${report.renamed}`] : []),
    ...(lacking.length > 0 ? ['Translations to complete:', ...lacking] : []),
  ]
}
