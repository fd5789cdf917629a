import { addressOf, readConfig } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { keepRunning, type SupervisedProcess } from '../../src/cli/start/keep-running.ts'
import { keepingOf, launchOwn } from '../../src/cli/start/own-processes.ts'

/** The program of a second machine: it keeps running what `start` would there, and tells whoever forked it the ids of its processes. */
const NAMES = ['vault', 'web', 'worker'] as const

const config = readConfig(process.env)
const log = createLogger({ level: config.logLevel, fields: { process: 'second machine' } })
const kept: SupervisedProcess[] = NAMES.map((name) =>
  keepRunning({
    name,
    first: launchOwn(name, config),
    launch: async () => launchOwn(name, config),
    log,
    ...keepingOf(name, config),
    onStart: (pid) => process.send?.({ name, pid }, undefined, undefined, () => {}),
  }),
)
process.send?.({ address: addressOf(config.host, config.port) })

const stop = () => void Promise.all(kept.map((each) => each.stop())).then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('disconnect', stop)
