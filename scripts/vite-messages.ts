import { readFileSync } from 'node:fs'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const MESSAGES = /\/locales\/[a-z-]+\/[a-z-]+\.json$/

/** Compiles `locales/<lang>/<area>.json` (ICU messages) while bundling, so that no parser is sent to the browser. */
export function messagesPlugin(): Plugin {
  return {
    name: 'lukado-messages',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? ''
      if (!MESSAGES.test(file)) return null
      const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
      const compiled = Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, compileMessage(text)]),
      )
      return { code: `export default ${JSON.stringify(compiled)}`, map: null, moduleType: 'js' }
    },
  }
}
