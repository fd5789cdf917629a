import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ctx } from '#platform/ctx.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { noteExport } from './commands.ts'
import type { CatalogueFiles } from './rules.ts'
import { documentsOf } from './documents/documents.ts'
import { readStoredRows, type StoredRows } from './queries.ts'
import { serialize } from './folder/serialize.ts'

export interface ExportReport {
  readonly name: string
  readonly files: number
  /** Items of all products, suspended ones included. */
  readonly items: number
}

/**
 * Writes the shop's catalogue as a folder that `importCatalogue` reads: importing it again changes nothing. Files of an
 * earlier export that no longer stand for anything are taken away; a folder that holds something else is refused (null).
 */
export async function exportCatalogue(ctx: Ctx, folder: string): Promise<ExportReport | null> {
  if (!(await isOurs(folder))) return null
  const { name, documents, items } = await readCatalogue(ctx)
  for (const path of await listJson(folder, ''))
    if (!documents.has(path)) await rm(join(folder, path))
  for (const [path, value] of documents)
    await writeWhenChanged(join(folder, path), serialize(value))
  return { name, files: documents.size, items }
}

/** The whole catalogue as the documents of a folder, of one moment. */
async function readCatalogue(ctx: Ctx): Promise<{
  readonly name: string
  readonly documents: ReadonlyMap<string, unknown>
  readonly items: number
}> {
  const rows = await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(readStoredRows)
  const name = nameOf(rows)
  return { name, documents: documentsOf(rows, name), items: rows.item.length }
}

/** The whole catalogue as the files of a folder, of one moment. */
export async function readCatalogueFiles(ctx: Ctx): Promise<CatalogueFiles> {
  const { documents, items } = await readCatalogue(ctx)
  return {
    items,
    count: documents.size,
    files: [...documents].values().map(([path, value]) => ({ path, text: serialize(value) })),
  }
}

/** An operator takes the catalogue away, cost prices and all: that is written down. Null as above. */
export async function exportCatalogueByOperator(
  ctx: OperatorCtx,
  folder: string,
): Promise<ExportReport | null> {
  requirePermission(ctx, 'product.read')
  const report = await exportCatalogue(ctx, folder)
  if (report) await noteExport(ctx, report)
  return report
}

/** Not there yet, empty, or a catalogue. */
async function isOurs(folder: string): Promise<boolean> {
  if (!existsSync(folder) || existsSync(join(folder, 'catalogue.json'))) return true
  const entries = await readdir(folder).catch(() => ['not a folder'])
  return entries.length === 0
}

/** The catalogue that maintains most products. */
function nameOf(rows: StoredRows): string {
  const counts = new Map<string, number>()
  for (const row of rows.product) {
    const [kind, name] = String(row['source']).split(':')
    if (kind === 'catalogue' && name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? 'shop'
}

async function listJson(folder: string, inside: string): Promise<string[]> {
  const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => [])
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const path = inside ? `${inside}/${entry.name}` : entry.name
      if (entry.isDirectory() && !entry.name.startsWith('.')) return listJson(folder, path)
      return entry.isFile() && entry.name.endsWith('.json') ? [path] : []
    }),
  )
  return nested.flat()
}

async function writeWhenChanged(path: string, text: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => null)
  if (present === text) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
