import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { MailPicture } from '../rules.ts'

/** By its place in the project: what is built runs from another folder. */
const LOGO_FILE = join(PROJECT_ROOT, 'src', 'features', 'people', 'mail', 'emails', 'logo.png')

/** Mark and lettering in white on the ink of a mail's head, at twice the size they are shown at. */
export const LOGO: MailPicture = {
  cid: 'logo',
  content: readFileSync(LOGO_FILE),
}
