import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { issueOwnerLink } from '#features/office/invitation/commands.ts'
import { OWNER_LINK_FILE } from '#features/office/invitation/rules.ts'
import { INVITATION_PAGE, linkOf } from '#features/people/mail/rules.ts'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { replaceSecretFile } from '#platform/secret-file.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { requireShop } from './database.ts'
import { explained } from './table.ts'

const SENTENCES = {
  conflict: 'This shop has operators: its owners invite others, in the console under Team.',
}

export const ownerLinkFile = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): string =>
  join(dataDirectory, OWNER_LINK_FILE)

/** Writes the link by which the first owner makes their account to a file for this user alone; it is never printed. */
export const inviteCommand: Run = async () => {
  const config = configFromEnvironment()
  requireShop(config)
  const file = ownerLinkFile(config)
  await withContext('cli', async (ctx) => {
    const key = await explained(SENTENCES, issueOwnerLink(ctx))
    const link = linkOf(config.publicUrl, 'en', INVITATION_PAGE, key, config.consoleOrigin)
    replaceSecretFile(file, `${link}\n`)
  })
  process.stdout.write(
    `${file} holds a link, good for 72 hours and for one account: whoever opens it becomes the shop's owner.\n`,
  )
  return 0
}

/** Once there are operators, what is left of it opens nothing and only misleads. */
export function forgetOwnerLink(config: Pick<Config, 'dataDirectory'>): void {
  rmSync(ownerLinkFile(config), { force: true })
}
