import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { refusal } from '../refusal.ts'

/** The user a server process runs as. */
export type Account = Readonly<{ uid: number; gid: number; name: string }>

const READ = 4
const PASS = 1

/** PostgreSQL refuses to run as root, so root hands it to `postgres` where the machine has that user, else to `nobody`. */
export function serverAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((fields) => fields[0] === name)
    if (account) return { name, uid: Number(account[2]), gid: Number(account[3]) }
  }
  throw refusal(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor a user nobody. Start as another user.',
  )
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0
}

/** Whether the account may pass through this folder and every one above it. */
export function canReach(folder: string, account: Account): boolean {
  const real = realpathSync(folder)
  return ancestorsOf(real).every((path) => allows(path, account, PASS))
}

export function canRead(file: string, account: Account): boolean {
  return canReach(dirname(realpathSync(file)), account) && allows(file, account, READ)
}

export function canExecute(file: string, account: Account): boolean {
  return canRead(file, account) && allows(file, account, PASS)
}

function ancestorsOf(path: string): string[] {
  return path === dirname(path) ? [path] : [...ancestorsOf(dirname(path)), path]
}

function allows(path: string, account: Account, permission: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const bits = uid === account.uid ? mode >> 6 : gid === account.gid ? mode >> 3 : mode
  return (bits & permission) === permission
}
