import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceSecretFile } from '#platform/secret-file.ts'

/** Who a demo shop can be tried as; told only in its data directory, to the user who runs it. */
export interface DemoPeople {
  /** Files of shops made before there were operators have none. */
  readonly operator?: {
    readonly name: string
    /** Files of releases before the console have none. */
    readonly email?: string
    readonly password: string
  }
  readonly shopper: {
    readonly email: string
    readonly user_name: string
    readonly password: string
  }
}

/** Null where there is no such file, or a crash has cut it short. */
export function readDemoPeople(dataDirectory: string): DemoPeople | null {
  const file = fileOf(dataDirectory)
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoPeople
  } catch {
    return null
  }
}

export function writeDemoPeople(dataDirectory: string, people: DemoPeople): void {
  replaceSecretFile(fileOf(dataDirectory), `${JSON.stringify(people, null, 2)}\n`)
}

function fileOf(dataDirectory: string): string {
  return join(dataDirectory, 'demo.json')
}
