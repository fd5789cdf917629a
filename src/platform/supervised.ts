// Loaded with --import into every process that `start` starts, before anything else of it.
import { surviveOutput } from './output.ts'

surviveOutput()

/** How often a process says that its event loop turns. */
const HEARTBEAT_MS = 5_000

// When the program that started it dies without a word (kill -9), its end of the channel closes: stop as if asked to.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
setInterval(() => process.send?.('alive', undefined, undefined, () => {}), HEARTBEAT_MS).unref()
process.send?.('alive', undefined, undefined, () => {})
process.channel?.unref()
