import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { recordAudit, type AuditEntry } from '#features/base/audit/commands.ts'
import { followRatesIn } from '#features/goods/currency/commands.ts'
import { countPrices } from '#features/goods/price/commands.ts'
import type { CatalogueFolder } from './folder/catalogue.ts'
import { checkFolder } from './folder/check.ts'
import { findConflicts } from './folder/conflicts.ts'
import { completeCovers } from './folder/covers.ts'
import {
  diffSet,
  diffTable,
  lockedColumns,
  type Change,
  type SetChange,
  type TableDiff,
} from './rows/diff.ts'
import { diffTranslations, type TranslationChange } from './rows/diff-translations.ts'
import { englishTexts, type EnglishTexts } from './folder/english.ts'
import { knownWith } from './folder/known.ts'
import { followBrandPictures, unlockedPictures } from './rows/pictures.ts'
import { parseFolder } from './folder/parse.ts'
import { knownOf, readStoredRows, storedCovers, type StoredRows } from './queries.ts'
import { readFolder, type FolderContents } from './folder/read.ts'
import { auditOfRename, findRenames, renameRows, writeRenames } from './rows/renames.ts'
import { countWords, refusedReport, type ImportReport, type TableCounts } from './rules.ts'
import { takeTurnOfImports } from './write/add.ts'
import { wantedRows, type WantedRows } from './rows/rows.ts'
import {
  CATEGORIES_OF_BRAND,
  LEVELS_OF_ITEM,
  TABLES,
  type Row,
  type SetSpec,
  type TableName,
} from './rows/tables.ts'
import {
  auditOfSet,
  auditOfTable,
  auditOfTranslations,
  passReviewNumbers,
  writeCategories,
  writeLevels,
  writeTable,
  writeTranslations,
} from './rows/write.ts'

export { isFolderFile, readFiles } from './folder/read.ts'
export { addGoods, takeTurnOfImports } from './write/add.ts'
export { readFolder }
export { writePage } from './write/pages.ts'
export { NO_PICTURES, writeGoods, type GoodsSets, type GoodsWrite } from './write/goods.ts'

export const DEMO_FOLDER = join(PROJECT_ROOT, 'catalogue')

/**
 * Brings the shop's catalogue to what a folder says, in one transaction. With any fault nothing is changed and the report
 * says all of them. A second run with the same folder changes nothing and writes nothing.
 */
export async function importCatalogue(ctx: Ctx, folderPath: string): Promise<ImportReport> {
  return importDocuments(ctx, await readFolder(folderPath))
}

/** How an import goes that somebody has asked for and looks at. */
export interface ImportTurn {
  /** It is worked out and told, and nothing is written. */
  readonly isTrial?: boolean
  /** Called where all is worked out, before anything is written; where it throws, nothing is. */
  readonly before?: (tx: Tx, report: ImportReport) => Promise<void>
  /** Called behind all that is written, in its transaction; where it throws, nothing is. */
  readonly after?: (tx: Tx, report: ImportReport) => Promise<void>
}

/** The same with the files of a folder, wherever they lie. */
export async function importDocuments(
  ctx: Ctx,
  { documents, faults: unreadable }: FolderContents,
  turn: ImportTurn = {},
): Promise<ImportReport> {
  const { folder, faults: misshapen } = parseFolder(documents)
  const source = `catalogue:${folder?.name ?? ''}`
  const faults = [...unreadable, ...misshapen]
  if (!folder || faults.length > 0) return refusedReport(faults, source)
  // Who is nobody in particular is the folder.
  const importing = 'operator' in ctx ? ctx : { ...ctx, actor: `import:${folder.name}` }
  return transaction(importing, (tx, now) =>
    importFolder(tx, importing, now, { folder, source }, turn),
  )
}

/** An operator brings the catalogue to what a folder says; each changed row has its audit. Throws 'forbidden' where that moves prices by more than they may. */
export async function importCatalogueByOperator(
  ctx: OperatorCtx,
  folderPath: string,
): Promise<ImportReport> {
  requirePermission(ctx, 'product.change')
  const report = await importCatalogue(ctx, folderPath)
  if (report.changeCount > 0)
    await transaction(ctx, (tx, now) =>
      recordAudit(tx, ctx, now, [
        {
          action: 'import',
          subject: 'catalogue',
          subjectCode: report.source,
          before: null,
          after: { changes: report.changeCount },
        },
      ]),
    )
  return report
}

/** Writes down that an operator has taken the catalogue away. */
export async function noteExport(
  ctx: OperatorCtx,
  { name, items }: { readonly name: string; readonly items: number },
): Promise<void> {
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'export',
        subject: 'catalogue',
        subjectCode: `catalogue:${name}`,
        before: null,
        after: { items },
      },
    ]),
  )
}

async function importFolder(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  { folder: said, source }: { readonly folder: CatalogueFolder; readonly source: string },
  turn: ImportTurn,
): Promise<ImportReport> {
  await takeTurnOfImports(tx)
  const before = await readStoredRows(tx)
  const known = knownWith(knownOf(before), said)
  const wrong = checkFolder(said, known)
  if (wrong.length > 0) return refusedReport(wrong, source)

  const renames = findRenames(said, before)
  const stored = renameRows(before, renames)
  const folder = completeCovers(said, storedCovers(stored))
  const conflicts = findConflicts(folder, stored, source)
  if (conflicts.length > 0) return refusedReport(conflicts, source)

  const categoryIds = new Map([
    ...stored.category.map((row) => [String(row['code']), Number(row['id'])] as const),
    ...folder.categories.map((row) => [row.code, row.id] as const),
  ])
  const wanted = wantedRows(folder, { source, known, categoryIds })
  const plan = planChanges(stored, wanted, source, englishTexts(folder))
  const report = {
    ...reportOf(plan, renames.length, source),
    words: countWords(folder, wanted.translation),
  }
  if (turn.isTrial) return { ...report, hash: hashOf(plan) }
  if (turn.before) await turn.before(tx, { ...report, hash: hashOf(plan) })
  const write = async () => {
    await writeRenames(tx, renames, before)
    await writePlan(tx, ctx, now, plan)
    await followRatesIn(tx, now)
  }
  await (isOperator(ctx) ? countPrices(tx, ctx, now, null, write) : write())
  await recordAudit(tx, ctx, now, [...renames.map(auditOfRename), ...auditOf(plan)])
  await turn.after?.(tx, report)
  return report
}

function reportOf(plan: Plan, renamed: number, source: string): Omit<ImportReport, 'words'> {
  const changes = countChanges(plan)
  const changed = [...changes.values()].reduce(
    (sum, one) => sum + one.created + one.updated + one.suspended + one.resumed,
    0,
  )
  return { faults: [], source, changes, renamed, changeCount: renamed + changed }
}

/** A name for all that a plan would write. What is in stock moves with each sale: what it was is left out. */
function hashOf({ tables, categories, levels, translations }: Plan): string {
  const hash = createHash('sha256')
  for (const { spec, changes } of tables)
    for (const { action, code, before, after } of changes)
      hash.update(JSON.stringify([spec.name, action, code, { ...before, stock: null }, after]))
  return hash.update(JSON.stringify([categories, levels, translations])).digest('base64url')
}

const isOperator = (ctx: Ctx): ctx is OperatorCtx => 'operator' in ctx

interface Plan {
  readonly tables: readonly TableDiff[]
  readonly categories: readonly SetChange[]
  readonly levels: readonly SetChange[]
  readonly translations: readonly TranslationChange[]
}

function planChanges(
  stored: StoredRows,
  wanted: WantedRows,
  source: string,
  english: EnglishTexts,
): Plan {
  return {
    tables: TABLES.map((spec) => {
      const rows =
        spec.name === 'picture' ? unlockedPictures(wanted.picture, stored) : wanted[spec.name]
      const diff = diffTable(spec, stored[spec.name], rows, source)
      return spec.name === 'product' ? followBrandPictures(diff, stored, wanted) : diff
    }),
    categories: diffOwned(CATEGORIES_OF_BRAND, stored, wanted),
    levels: diffOwned(LEVELS_OF_ITEM, stored, wanted),
    translations: diffTranslations(stored.translation, wanted.translation, english),
  }
}

function diffOwned(set: SetSpec, stored: StoredRows, wanted: WantedRows): SetChange[] {
  const spec = TABLES.find((table) => table.name === set.subject)
  const locked = stored[set.subject]
    .filter((row) => spec && lockedColumns(spec, row).has(set.field))
    .map(codeOf)
  return diffSet(
    set,
    wanted[set.subject].map(codeOf),
    stored[set.name],
    wanted[set.name],
    new Set(locked),
  )
}

function codeOf(row: Row): string {
  return String(row['code'])
}

async function writePlan(tx: Tx, ctx: Ctx, now: Date, plan: Plan): Promise<void> {
  for (const diff of plan.tables) if (diff.changes.length > 0) await writeTable(tx, ctx, now, diff)
  await writeCategories(tx, plan.categories)
  await writeLevels(tx, plan.levels)
  await writeTranslations(tx, plan.translations)
  await passReviewNumbers(tx)
}

function auditOf(plan: Plan): AuditEntry[] {
  const created = (name: TableName) =>
    new Set(
      plan.tables
        .find((diff) => diff.spec.name === name)
        ?.changes.filter(isCreation)
        .map((change) => change.code),
    )
  return [
    ...plan.tables.flatMap(auditOfTable),
    ...auditOfSet(CATEGORIES_OF_BRAND, plan.categories, created('brand')),
    ...auditOfSet(LEVELS_OF_ITEM, plan.levels, created('item')),
    ...auditOfTranslations(plan.translations),
  ]
}

function isCreation(change: Change): boolean {
  return change.action === 'create'
}

function countChanges(plan: Plan): ReadonlyMap<TableName, TableCounts> {
  const counts = new Map<TableName, TableCounts>()
  const count = (name: TableName, created: number, updated: number, suspended = 0, resumed = 0) => {
    if (created + updated + suspended + resumed > 0)
      counts.set(name, { created, updated, suspended, resumed })
  }
  for (const { spec, changes } of plan.tables) {
    const of = (action: Change['action']) =>
      changes.filter((change) => change.action === action).length
    count(spec.name, of('create'), of('update'), of('suspend'), of('resume'))
  }
  count('brand_category', 0, plan.categories.length)
  count('item_level_price', 0, plan.levels.length)
  const made = plan.translations.filter((change) => change.before === null).length
  count('translation', made, plan.translations.length - made)
  return counts
}
