import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { recountStock } from '#features/stock/commands.ts'
import { releaseQuarantined, rotateVault } from '#features/vault/commands.ts'
import { importKeys } from '#features/vault/flows.ts'
import { makeKeys, openDemoShelves } from '#features/vault/jobs.ts'
import { countStock, findStockable } from '#features/vault/queries.ts'
import { PICTURE_MAX, type LineFault } from '#features/vault/rules.ts'
import { isAppError } from '#kernel/error.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { refusal, systemErrorCode } from '#platform/refusal.ts'
import { addVaultKey, openVaultKeys } from '#platform/vault-keys.ts'
import type { Run } from './commands.ts'
import { withContext } from './context.ts'
import { operatorOf, positionals } from './table.ts'

const FAULTS: Readonly<Record<LineFault, string>> = {
  columns: 'has another number of columns',
  part: 'is not as keys of this brand look',
  date: 'has an expiry that is no day like 2027-06-30',
  expired: 'has expired',
  too_long: 'is too long',
}

export const importKeysCommand: Run = async (args) => {
  const [itemCode = '', file = ''] = args.filter((arg) => !arg.startsWith('--'))
  const isDryRun = args.includes('--dry-run')
  const chunks = await readChunks(file)
  const report = await withContext('import:keys', (ctx) =>
    importKeys(ctx, openVaultKeys(configFromEnvironment()), {
      itemCode,
      fileName: basename(file),
      chunks,
      isDryRun,
    }),
  ).catch((error: unknown) => {
    if (isAppError(error) && error.code === 'not_found') throw noSuchItem(itemCode)
    throw error
  })
  for (const { line, fault, part } of report.faults)
    process.stderr.write(`line ${line}: ${part ? `${part} ` : ''}${FAULTS[fault]}\n`)
  const { imported, duplicates, refused, samples } = report
  process.stdout.write(
    `${isDryRun ? 'Would import' : 'Imported'} ${imported}, known already ${duplicates}, refused ${refused}.${samples.length > 0 ? ` The first end in ${samples.join(', ')}.` : ''}\n`,
  )
  return refused > 0 ? 1 : 0
}

const noSuchItem = (itemCode: string) =>
  refusal(
    `There is no item ${itemCode} that is delivered as a key. Item codes stand in the catalogue.`,
  )

/** A file as it streams in; of a folder, the pictures in it, one a line. */
async function readChunks(path: string): Promise<AsyncIterable<string>> {
  try {
    if ((await stat(path)).isDirectory()) return picturesOf(path)
    return (await open(path)).createReadStream({ encoding: 'utf8' })
  } catch (error) {
    throw refusal(`${path} cannot be read (${systemErrorCode(error) ?? String(error)}).`, error)
  }
}

async function* picturesOf(folder: string): AsyncGenerator<string> {
  const names = (await readdir(folder))
    .filter((name) => /\.(?:png|jpe?g|webp)$/i.test(name))
    .toSorted()
  // Larger ones are told of as lines that are too long.
  for (const name of names)
    yield `${(await readFile(join(folder, name))).subarray(0, PICTURE_MAX + 1).toString('base64')}\n`
}

export const countKeysCommand: Run = async ([itemCode = '']) => {
  const counts = await withContext('system', async (ctx) => {
    const stockable = await findStockable(ctx.db, itemCode)
    if (!stockable) throw noSuchItem(itemCode)
    return countStock(ctx.db, stockable.item)
  })
  process.stdout.write(
    `${Object.entries(counts)
      .map(([status, count]) => `${status.padEnd(12)}${count}\n`)
      .join('')}`,
  )
  return 0
}

const MADE_MOST = 10_000_000

/** Only a demo shop sells keys that redeem nothing. */
function demoConfig() {
  const config = configFromEnvironment()
  if (!config.demo) throw refusal('Only a demo shop makes up keys; this one is set up for real.')
  return config
}

export const demoKeysCommand: Run = async ([itemCode = '', count = '']) => {
  const keys = openVaultKeys(demoConfig())
  const wanted = /^[1-9]\d{0,7}$/.test(count) ? Number(count) : 0
  if (wanted === 0 || wanted > MADE_MOST)
    throw refusal(`Give a count from 1 to ${MADE_MOST}, not ${count}.`)
  const made = await withContext('system', async (ctx) => {
    const stockable = await findStockable(ctx.db, itemCode)
    if (!stockable) throw noSuchItem(itemCode)
    return makeKeys(ctx, keys, [{ ...stockable, count: wanted }])
  })
  process.stdout.write(`Made ${made} keys that redeem nothing.\n`)
  return 0
}

export const openDemoShelvesCommand: Run = async () => {
  const keys = openVaultKeys(demoConfig())
  const made = await withContext('system', async (ctx) => {
    const count = await openDemoShelves(ctx, keys)
    // The first page is to show them as in stock; nobody counts before the worker is there.
    await recountStock(ctx)
    return count
  })
  process.stdout.write(`Made ${made} keys that redeem nothing.\n`)
  return 0
}

export const rotateKeysCommand: Run = async () => {
  const config = configFromEnvironment()
  if (!config.vaultKeys) addVaultKey(config)
  const keys = openVaultKeys(config)
  const count = await withContext('rotate:keys', (ctx) => rotateVault(ctx, keys))
  process.stdout.write(`${count} card keys are now under key ${keys.current.id}.\n`)
  return 0
}

export const releaseKeysCommand: Run = async (args) => {
  const operator = operatorOf(args)
  const [itemCode = ''] = positionals(args)
  const count = await withContext(`operator:${operator}`, (ctx) =>
    releaseQuarantined(ctx, itemCode),
  )
  if (count === null)
    throw refusal(`There is no item ${itemCode}. Item codes stand in the catalogue.`)
  process.stdout.write(`${count} keys of ${itemCode} are for sale again.\n`)
  return 0
}
