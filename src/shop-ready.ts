import { readShopFacts } from '#features/office/readiness/queries.ts'
import { readyLines, type ReadyLine } from '#features/office/readiness/rules.ts'
import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'
import {
  NO_SAMPLES,
  readSampleTexts,
  type SampleTexts,
} from '#features/goods/content/engine/sample-texts.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { isBackupFresh, lastRestoreIn, newestCopyIn, readArchiver } from './cli/backup-check.ts'

/** Tells whether the shop is ready: from its database, its variables and its folder of backups, as they are when it is asked. */
export function shopReady(
  config: Config,
  ctx: Pick<Ctx, 'db' | 'now'>,
  providers: () => readonly string[],
): () => Promise<readonly ReadyLine[]> {
  let samples: Promise<SampleTexts> | null = null
  return async () => {
    samples ??= config.demo ? Promise.resolve(NO_SAMPLES) : readSampleTexts(REQUIRED_TEXTS)
    const now = ctx.now()
    const [shop, backup] = await Promise.all([
      readShopFacts(ctx.db, now, await samples),
      backupOf(config, ctx, now),
    ])
    return readyLines(shop, {
      isHttps: config.publicUrl.startsWith('https:'),
      hasMailServer: config.smtpUrl !== undefined || config.demo,
      waysToPay: providers().filter((code) => code !== STORE_CREDIT).length,
      backup,
    })
  }
}

/** It is no way to be paid: it is what the shop owes. */
const STORE_CREDIT = 'store-credit'

async function backupOf(
  { backupDirectory: directory }: Config,
  { db }: Pick<Ctx, 'db'>,
  now: Date,
): Promise<{ readonly isMade: boolean; readonly isRestored: boolean }> {
  // On a server of one's own the folder is not known, and its tools tell whether its log is archived.
  if (directory === undefined) {
    const { isOn } = await readArchiver(db)
    return { isMade: isOn, isRestored: false }
  }
  return {
    isMade: isBackupFresh(newestCopyIn(directory), now),
    isRestored: lastRestoreIn(directory)?.isRight === true,
  }
}
