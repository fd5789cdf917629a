import { readFileSync } from 'node:fs'
import type { MailPicture } from '../rules.ts'

/** Mark and lettering in white on the ink of a mail's head, at twice the size they are shown at. */
export const LOGO: MailPicture = {
  cid: 'logo',
  content: readFileSync(new URL('./logo.png', import.meta.url)),
}
