import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HEADS_FILE, headLine } from '#features/base/audit/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import { postHead } from './commands.ts'

const FOR_THE_OWNER_ALONE = 0o600

export interface HeadPlaces {
  readonly publicUrl: string
  readonly dataDirectory: string
}

/** Once a day: the newest seal goes out, and into a file of the data directory that doctor compares the database with. */
export async function tellHead(ctx: Ctx, { publicUrl, dataDirectory }: HeadPlaces): Promise<void> {
  const head = await postHead(ctx, publicUrl)
  if (!head) return
  await appendFile(join(dataDirectory, HEADS_FILE), `${headLine(head)}\n`, {
    mode: FOR_THE_OWNER_ALONE,
  })
}
