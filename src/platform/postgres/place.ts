import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refusal, systemErrorCode } from '../refusal.ts'
import { replaceSecretFile } from '../secret-file.ts'
import { canReach, runsAsRoot, serverAccount, type Account } from './access.ts'
import { shippedBinaries, usableBinaries, type Binaries } from './binaries.ts'

/** Where a server's files are and who runs it. */
export type Place = Readonly<{
  /** PostgreSQL's own data folder, owned by the account. */
  cluster: string
  binaries: Binaries
  /** Undefined: the user of this process. */
  account: Account | undefined
  /** Set when the files could not be kept under the data directory. */
  outside: string | undefined
}>

const OUTSIDE = '/var/lib/lukado'
const LOCATION_FILE = 'postgres-location'

/**
 * Finds the database of a data directory, or decides where a new one goes: `DATA_DIR/postgres`, unless this is root and
 * the user who must run PostgreSQL cannot get there (a folder inside a closed home, say). Then a folder under
 * /var/lib/lukado serves, named by a hash of the data directory's path and remembered in `DATA_DIR/postgres-location`.
 */
export function findPlace(dataDirectory: string): Place {
  const inside = join(dataDirectory, 'postgres')
  const remembered = rememberedLocation(dataDirectory)
  if (!runsAsRoot()) {
    const cluster = remembered ?? inside
    if (hasCluster(cluster)) refuseUnlessMine(cluster)
    return {
      cluster,
      binaries: usableBinaries(dataDirectory, undefined),
      account: undefined,
      outside: undefined,
    }
  }
  const existing =
    remembered ?? [inside, join(outsideFolder(dataDirectory), 'data')].find(hasCluster)
  const account = existing === undefined ? serverAccount() : ownerOf(existing)
  const goesInside = existing === undefined ? canReach(dataDirectory, account) : existing === inside
  if (existing !== undefined && !canReach(dirname(existing), account)) {
    throw refusal(
      `The user ${account.name}, who runs PostgreSQL for root, can no longer get into ${dirname(existing)}. Let it pass with chmod o+x on that folder and those above it.`,
    )
  }
  const outside = goesInside
    ? undefined
    : remembered
      ? dirname(remembered)
      : outsideFolder(dataDirectory)
  const base = outside ?? dataDirectory
  if (outside) makeOpenFolder(outside)
  return {
    cluster: existing ?? (outside ? join(outside, 'data') : inside),
    binaries: usableBinaries(base, account),
    account,
    outside,
  }
}

/** Where root keeps the database of a data directory that the server's user cannot get into. */
export function outsideFolder(dataDirectory: string): string {
  const name = createHash('sha256').update(realpathSync(dataDirectory)).digest('hex').slice(0, 12)
  return join(OUTSIDE, name)
}

/** Refuses a data directory that another major version of PostgreSQL made, without starting anything. */
export function checkClusterVersion(dataDirectory: string): void {
  const cluster = rememberedLocation(dataDirectory) ?? join(dataDirectory, 'postgres')
  if (!hasCluster(cluster)) return
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const { major } = shippedBinaries()
  if (found === major) return
  throw refusal(
    `${cluster} was made by PostgreSQL ${found}, and this program comes with PostgreSQL ${major}. Start the version of Lukado that made it, or move the data over as docs/operating/install.md says.`,
  )
}

export function rememberLocation(dataDirectory: string, place: Place): void {
  if (place.outside) replaceSecretFile(join(dataDirectory, LOCATION_FILE), `${place.cluster}\n`)
}

/** The password of the one database user; made on first need and readable by this user alone. */
export function databasePassword(dataDirectory: string, cluster: string): string {
  const file = join(dataDirectory, 'postgres-password')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (kept !== '') return kept
  if (hasCluster(cluster))
    throw refusal(
      `${file} is missing or empty, and without it the database in ${cluster} cannot be opened. Put the file back from a backup.`,
    )
  const password = randomBytes(24).toString('base64url')
  replaceSecretFile(file, `${password}\n`)
  return password
}

export function hasCluster(folder: string): boolean {
  try {
    return statSync(join(folder, 'PG_VERSION')).isFile()
  } catch (error) {
    if (systemErrorCode(error) !== 'EACCES') return false
    throw notMine(folder)
  }
}

function rememberedLocation(dataDirectory: string): string | undefined {
  const file = join(dataDirectory, LOCATION_FILE)
  if (!existsSync(file)) return undefined
  const location = readFileSync(file, 'utf8').trim()
  if (hasCluster(location)) return location
  throw refusal(
    `The database is gone from ${location}, where ${file} says it is. Put it back, or delete that file to begin with an empty shop.`,
  )
}

function refuseUnlessMine(cluster: string): void {
  if (statSync(cluster).uid !== process.getuid?.()) throw notMine(cluster)
}

function notMine(cluster: string): Error {
  return refusal(
    `The database in ${cluster} belongs to another user. Start as that user or as root, or choose another DATA_DIR.`,
  )
}

/** A database that a plain user made goes on under that user when root starts it. */
function ownerOf(cluster: string): Account {
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? serverAccount() : { uid, gid, name: String(uid) }
}

function makeOpenFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const path of [dirname(folder), folder]) chmodSync(path, 0o755)
  } catch (error) {
    throw refusal(
      `PostgreSQL's files cannot be kept in ${folder}: ${error instanceof Error ? error.message : String(error)}. Choose a DATA_DIR that every user can pass into.`,
      error,
    )
  }
}
