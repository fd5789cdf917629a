import { commandsOf } from '../documentation/shell.ts'
import { readBlocks } from '../documentation/blocks.ts'

const PAGE = 'docs/operating/upgrade.md'

/** What docs/operating/upgrade.md says to do before going back to the oldest release, word for word. */
export interface WayBack {
  /** Commands of the newest release, each with its words. */
  readonly commands: readonly (readonly string[])[]
  /** The same for one's own server. */
  readonly statement: string
}

export function readWayBack(): WayBack {
  const blocks = readBlocks().filter(({ page }) => page === PAGE)
  const unset = blocks.find(({ text }) => text.startsWith('npm run cli -- settings unset'))
  const update = blocks.find(({ text }) => text.startsWith('update setting'))
  if (!unset || !update) throw new Error(`${PAGE} does not say how to go back`)
  return {
    commands: commandsOf(unset.text).map(({ words }) => words.slice(words.indexOf('--') + 1)),
    statement: update.text,
  }
}
