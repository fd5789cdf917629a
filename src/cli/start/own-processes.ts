import { bareEnvironment, environmentOf } from '#platform/child-environment.ts'
import { addressOf, type Config } from '#platform/config.ts'
import type { KeepOptions, RunningProcess } from './keep-running.ts'
import { NODE_FLAGS, startNode } from './node-process.ts'
import { healthAnswers, heartbeats } from './signs-of-life.ts'

/** The shop's own Node processes, and what each runs. */
export const ENTRIES = {
  web: 'build/server/server.js',
  worker: 'src/worker.ts',
  pictures: 'src/pictures.ts',
  vault: 'src/vault.ts',
} as const

export type OwnProcess = keyof typeof ENTRIES

/** Little lives long in it: what is decoded is no object of the language, and keys are few. */
const SMALL: readonly string[] = ['--max-semi-space-size=2', '--max-old-space-size=96']

export function launchOwn(name: OwnProcess, config: Config): RunningProcess {
  switch (name) {
    case 'web':
    case 'worker':
      return startNode(
        ENTRIES[name],
        environmentOf({ ...config, role: name, vaultKeys: undefined }),
        NODE_FLAGS,
      )
    case 'vault':
      return startNode(
        ENTRIES.vault,
        bareEnvironment(config, config.vaultKeys ? { VAULT_KEYS: config.vaultKeys.reveal() } : {}),
        SMALL,
      )
    case 'pictures':
      return startNode(ENTRIES.pictures, bareEnvironment(config), SMALL)
  }
}

/** How it is watched over. */
export function keepingOf(
  name: OwnProcess,
  config: Config,
): Pick<KeepOptions, 'signs' | 'isRenewed' | 'isMinor'> {
  switch (name) {
    case 'web':
      return { signs: healthAnswers(`${addressOf(config.host, config.port)}/healthz`) }
    case 'worker':
      return { signs: heartbeats }
    case 'pictures':
      return { signs: heartbeats, isRenewed: true, isMinor: true }
    case 'vault':
      return { signs: heartbeats, isMinor: true }
  }
}
