import { verifyAudit } from '#features/base/audit/flows.ts'
import { faultSentence } from '#features/base/audit/rules.ts'
import { configFromEnvironment } from '#platform/config.ts'
import type { OperatorRun } from './commands.ts'
import { lostSentence } from './doctor/audit.ts'
import { print } from './table.ts'

export const verifyCommand: OperatorRun = async (ctx, args) => {
  const found = await verifyAudit(ctx.db, configFromEnvironment().dataDirectory)
  const { head, batches, faults, lost } = found
  const sentences = [...faults.map(faultSentence), ...lost.map(lostSentence)]
  print(args, found, () =>
    sentences.length > 0
      ? `${sentences.join('\n')}\n`
      : head === null
        ? 'Nothing is sealed yet: the worker does it every five minutes.\n'
        : `${batches} batches are as they were sealed, the newest at ${head.sealedAt.toISOString()}:\n${head.hash}\n`,
  )
  return sentences.length > 0 ? 1 : 0
}
