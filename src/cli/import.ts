import { resolve } from 'node:path'
import { importCatalogue } from '#features/transfer/commands.ts'
import { formatFault } from '#features/transfer/folder/faults.ts'
import type { ImportReport } from '#features/transfer/rules.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'

export const importCommand: Run = async ([folder = '']) => {
  const report = await withContext('import', (ctx) => importCatalogue(ctx, resolve(folder)))
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
