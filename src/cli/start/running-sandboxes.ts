import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '#platform/config.ts'
import { openKeys } from '#platform/keys.ts'
import { makeFolder } from '#platform/make-folder.ts'
import { identityOf } from '#platform/processes.ts'
import { replaceSecretFile } from '#platform/secret-file.ts'
import { secret, type Secret } from '#platform/secret.ts'

const noted = z.object({ identity: z.string(), ports: z.record(z.string(), z.int()) })

const fileOf = (dataDirectory: string) => join(dataDirectory, 'run', 'sandboxes.json')

/** Notes where the sandboxes listen, for commands that are run beside the shop; it holds as long as this process is there. */
export function noteSandboxes({
  dataDirectory,
  sandboxPorts,
}: Pick<Config, 'dataDirectory' | 'sandboxPorts'>): void {
  makeFolder(join(dataDirectory, 'run'), 0o777)
  const note = { identity: identityOf(process.pid), ports: sandboxPorts }
  replaceSecretFile(fileOf(dataDirectory), `${JSON.stringify(note)}\n`)
}

/** Shared with the demo's suppliers; the same as long as the shop's key is, since purchases outlive a restart. */
export function supplySecret(config: Pick<Config, 'secretKey' | 'dataDirectory'>): Secret {
  return secret(openKeys(config).mac('sandbox supply', 'secret').toString('base64url'))
}

/** What a command is told of the suppliers of a demo that runs over the same data directory; the same configuration where none does. */
export function withRunningSandboxes(config: Config): Config {
  const ports = config.demo ? portsOf(config.dataDirectory) : null
  if (ports === null) return config
  return {
    ...config,
    sandboxPorts: ports,
    supply: { ...config.supply, sandboxSecret: supplySecret(config) },
  }
}

function portsOf(dataDirectory: string): Readonly<Record<string, number>> | null {
  try {
    const { identity, ports } = noted.parse(JSON.parse(readFileSync(fileOf(dataDirectory), 'utf8')))
    // A port of a shop that was killed may be somebody else's by now.
    return identityOf(Number(identity.split(' ')[0])) === identity ? ports : null
  } catch {
    return null
  }
}
