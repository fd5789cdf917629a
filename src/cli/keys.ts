import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findKeyProblem } from '#features/people/factor/queries.ts'
import { recountStock } from '#features/goods/stock/commands.ts'
import { takeFileAlone } from '#features/buying/key-import/commands.ts'
import { releaseQuarantined, withdrawBatch } from '#features/buying/vault/commands.ts'
import { openVault, type Vault } from '#features/buying/vault/engine/vault.ts'
import { importKeysByOperator, rotateVaultByOperator } from '#features/buying/vault/flows.ts'
import { makeKeys, openDemoShelves } from '#features/buying/vault/jobs.ts'
import { listBatches, countStock, findStockable } from '#features/buying/vault/queries.ts'
import { PICTURE_MAX, type LineFault } from '#features/buying/vault/rules.ts'
import { isAppError } from '#kernel/error.ts'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { refusal, systemErrorCode } from '#platform/refusal.ts'
import { addVaultKey, openVaultKeys } from '#platform/vault-keys.ts'
import type { OperatorRun, Run } from './commands.ts'
import { withContext } from './context.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'

const FAULTS: Readonly<Record<LineFault, string>> = {
  columns: 'has another number of columns',
  part: 'is not as keys of this brand look',
  date: 'has an expiry that is no day like 2027-06-30',
  expired: 'has expired',
  too_long: 'is too long',
}

export const importKeysCommand: OperatorRun = async (ctx, args) => {
  const [itemCode = '', file = ''] = positionals(args)
  const isDryRun = args.includes('--dry-run')
  // Doubles are known by it: under another key every one would be new.
  const problem = await findKeyProblem(ctx, ctx.keys)
  if (problem !== null) throw refusal(problem)
  const keys = vaultOf(configFromEnvironment())
  const { imported, duplicates, refused, samples, faults, batchId } = await importKeysByOperator(
    ctx,
    keys,
    {
      itemCode,
      fileName: basename(file),
      open: () => readChunks(file),
      askLeave: takeFileAlone,
      isDryRun,
    },
  ).catch((error: unknown) => {
    if (isAppError(error) && error.code === 'not_found') throw noSuchItem(itemCode)
    if (isAppError(error) && error.code === 'needs_another') throw refusal(TOO_MUCH)
    throw error
  })
  for (const { line, fault, part } of faults)
    process.stderr.write(`line ${line}: ${part ? `${part} ` : ''}${FAULTS[fault]}\n`)
  process.stdout.write(
    [
      `${isDryRun ? 'Would import' : 'Imported'} ${imported}, known already ${duplicates}, refused ${refused}.`,
      ...(samples.length > 0 ? [`The first end in ${samples.join(', ')}.`] : []),
      ...(isDryRun || imported === 0 ? [] : [`Batch ${batchId}.`]),
    ].join(' ') + '\n',
  )
  return refused > 0 ? 1 : 0
}

const TOO_MUCH =
  'Nothing was taken: with what you took in within a day, these keys are worth more than you may take in alone. Give the file to the console, at Keys, where a colleague approves it.'

const noSuchItem = (itemCode: string) =>
  refusal(
    `There is no item ${itemCode} that is delivered as a key. Item codes stand in the catalogue.`,
  )

/** For what keys once came in for, however it is delivered now. */
const unknownItem = (itemCode: string) => ({
  not_found: `There is no item ${itemCode}. Item codes stand in the catalogue.`,
})

/** A file as it streams in; of a folder, the pictures in it, one a line. */
export async function readChunks(path: string): Promise<AsyncIterable<string>> {
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

export const countKeysCommand: OperatorRun = async (ctx, args) => {
  const [itemCode = ''] = positionals(args)
  const stockable = await findStockable(ctx.db, itemCode)
  if (!stockable) throw noSuchItem(itemCode)
  const counts = await countStock(ctx.db, stockable.item)
  process.stdout.write(
    Object.entries(counts)
      .map(([status, count]) => `${status.padEnd(12)}${count}\n`)
      .join(''),
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
  const vault = vaultOf(demoConfig())
  const wanted = /^[1-9]\d{0,7}$/.test(count) ? Number(count) : 0
  if (wanted === 0 || wanted > MADE_MOST)
    throw refusal(`Give a count from 1 to ${MADE_MOST}, not ${count}.`)
  const made = await withContext('system', async (ctx) => {
    const stockable = await findStockable(ctx.db, itemCode)
    if (!stockable) throw noSuchItem(itemCode)
    return makeKeys(ctx, vault, [{ ...stockable, count: wanted }])
  })
  process.stdout.write(`Made ${made} keys that redeem nothing.\n`)
  return 0
}

export const openDemoShelvesCommand: Run = async () => {
  const vault = vaultOf(demoConfig())
  const made = await withContext('system', async (ctx) => {
    const count = await openDemoShelves(ctx, vault)
    // The first page is to show them as in stock; nobody counts before the worker is there.
    await recountStock(ctx)
    return count
  })
  process.stdout.write(`Made ${made} keys that redeem nothing.\n`)
  return 0
}

export const rotateKeysCommand: OperatorRun = async (ctx) => {
  const config = configFromEnvironment()
  const { keyId, count } = await rotateVaultByOperator(ctx, vaultOf(config), {
    addKey: () => void addVaultKey(config),
  })
  process.stdout.write(
    `${count} card keys are now under key ${keyId}. Keep the older keys as long as you keep backups that were made before.\n`,
  )
  return 0
}

/** Whoever runs a command has the keys at hand. */
export function vaultOf(config: Config): Vault {
  return openVault(() => openVaultKeys(config))
}

export const releaseKeysCommand: OperatorRun = async (ctx, args) => {
  const [itemCode = ''] = positionals(args)
  const count = await explained(unknownItem(itemCode), releaseQuarantined(ctx, itemCode))
  process.stdout.write(`${count} keys of ${itemCode} are for sale again.\n`)
  return 0
}

const BATCHES_LISTED = 50

export const listBatchesCommand: OperatorRun = async (ctx, args) => {
  const [itemCode = ''] = positionals(args)
  const batches = await explained(
    unknownItem(itemCode),
    listBatches(ctx.db, itemCode, BATCHES_LISTED),
  )
  print(args, batches, () =>
    batches.length === 0
      ? 'No keys of this item have come in.\n'
      : table(
          ['BATCH', 'CAME IN (UTC)', 'KEYS', 'FILE', 'BY'],
          batches.map(({ id, createdAt, imported, fileName, createdBy }) => [
            id,
            moment(createdAt),
            String(imported),
            fileName,
            createdBy,
          ]),
        ),
  )
  return 0
}

export const withdrawKeysCommand: OperatorRun = async (ctx, args) => {
  const batch = required(args, '--batch', 'as keys batches lists it')
  const { itemCode, withdrawn, sold } = await explained(
    { not_found: 'There is no such batch. npm run cli -- keys batches <item> lists them.' },
    withdrawBatch(ctx, batch),
  )
  print(args, { itemCode, withdrawn, sold }, () =>
    [
      `${withdrawn} keys of ${itemCode} are off the shelf for good.\n`,
      sold.length === 0
        ? 'None of this batch was sold.\n'
        : `Sold, or being paid for: give each back with refund, or replace it.\n\n${table(
            ['ORDER', 'UNIT', 'ENDS IN', 'STATE', 'SEEN'],
            sold.map(({ orderNumber, unit, lastCharacters, status, isRevealed }) => [
              orderNumber,
              unit,
              lastCharacters,
              status,
              isRevealed ? 'yes' : 'no',
            ]),
          )}`,
    ].join(''),
  )
  return 0
}
