import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { shippedBinaries } from '#platform/postgres/binaries.ts'
import { runningEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { checkClusterVersion } from '#platform/postgres/place.ts'
import { isRefusal } from '#platform/refusal.ts'
import type { Run } from './commands.ts'
import { checkServer } from './database.ts'

type Finding = Readonly<{ subject: string; problem?: string; note: string }>

const OLDEST_NODE = 24

/** Looks at everything a start needs and changes nothing. */
export const doctor: Run = async () => {
  const config = configFromEnvironment()
  const findings = [nodeVersion(), await finding('data directory', async () => dataDirectory(config)), await finding('database', () => database(config))]
  for (const { subject, problem, note } of findings) process.stdout.write(`${problem ? 'wrong' : 'ok   '}  ${subject}: ${problem ?? note}\n`)
  return findings.some(({ problem }) => problem) ? 1 : 0
}

function nodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const note = `Node ${process.versions.node}`
  return major >= OLDEST_NODE ? { subject: 'runtime', note } : { subject: 'runtime', note, problem: `${note}; run npm ci, which brings Node ${OLDEST_NODE}, and use npm run.` }
}

function dataDirectory({ dataDirectory: path }: Config): string {
  if (!existsSync(path)) return `${path} does not exist yet; the first start makes it`
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`)
  accessSync(path, constants.W_OK | constants.X_OK)
  return path
}

async function database(config: Config): Promise<string> {
  const own = config.databaseUrl?.reveal()
  if (own) {
    await checkServer(own)
    return 'the server of DATABASE_URL answers'
  }
  checkClusterVersion(config.dataDirectory)
  const running = existsSync(config.dataDirectory) ? runningEmbeddedPostgres(config.dataDirectory) : undefined
  if (running) await checkServer(running)
  return `embedded PostgreSQL ${shippedBinaries().version}${running ? ', running' : ', not running'}`
}

async function finding(subject: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { subject, note: await check() }
  } catch (error) {
    return { subject, note: '', problem: isRefusal(error) || error instanceof Error ? error.message : String(error) }
  }
}
