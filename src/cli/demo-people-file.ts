import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who a demo shop can be tried as; told only in its data directory, to the user who runs it. */
export interface DemoPeople {
  /** Files of shops made before there were operators have none. */
  readonly operator?: { readonly name: string; readonly password: string }
  readonly shopper: {
    readonly email: string
    readonly user_name: string
    readonly password: string
  }
}

export function readDemoPeople(dataDirectory: string): DemoPeople | null {
  const file = fileOf(dataDirectory)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoPeople) : null
}

export function writeDemoPeople(dataDirectory: string, people: DemoPeople): void {
  writeFileSync(fileOf(dataDirectory), `${JSON.stringify(people, null, 2)}\n`, { mode: 0o600 })
}

function fileOf(dataDirectory: string): string {
  return join(dataDirectory, 'demo.json')
}
