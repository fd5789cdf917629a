import { findUnsealed } from '#features/base/audit/queries.ts'
import { verifyAudit } from '#features/base/audit/flows.ts'
import { faultSentence, type SealHead } from '#features/base/audit/rules.ts'
import type { Config } from '#platform/config.ts'
import { databaseTime, withOpenDatabase, type Found } from './finding.ts'

/** What a person waits; `audit verify` looks at everything. */
const LOOK_MS = 10_000
const UNSEALED_MS = 3_600_000

/** Whether the trail is as it was sealed, and is being sealed. */
export async function lookAtAudit(config: Config): Promise<Found> {
  const found = await withOpenDatabase(config, async (db) => {
    const ends = performance.now() + LOOK_MS
    const { time } = await databaseTime(db)
    const verified = await verifyAudit(db, config.dataDirectory, () => performance.now() > ends)
    const oldest = await findUnsealed(db)
    return {
      ...verified,
      isLate: oldest !== null && time.getTime() - oldest.getTime() > UNSEALED_MS,
    }
  })
  if (!found) return { note: 'not looked at, as the database does not run or is empty' }
  const problems = [
    ...found.faults.map(faultSentence),
    ...found.lost.map(lostSentence),
    ...(found.isLate
      ? ['what was written more than an hour ago is not sealed yet: look at the worker']
      : []),
  ]
  const { head, batches, isWhole } = found
  if (head === null) return { problems, note: 'nothing is sealed yet' }
  const which = isWhole ? `all ${batches} batches are` : `the newest ${batches} batches are`
  return { problems, note: `${which} as they were sealed` }
}

export const lostSentence = ({ number, sealedAt }: SealHead): string =>
  `the seal of batch ${number}, written down as of ${sealedAt.toISOString()}, is another in the database or gone`
