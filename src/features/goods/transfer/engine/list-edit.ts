import type { FieldReason } from '#kernel/error.ts'
import { checkCategories, checkGames } from '../folder/check.ts'
import { completeCovers } from '../folder/covers.ts'
import type { CatalogueFolder } from '../folder/catalogue.ts'
import { jsonPath, type Report } from '../folder/faults.ts'
import type { Known } from '../folder/known.ts'
import { pictureRow } from '../rows/row-parts.ts'
import type { Row } from '../rows/tables.ts'
import { game as gameShape, type Game } from '../schema/goods.ts'
import {
  category as categoryShape,
  platform as platformShape,
  region as regionShape,
} from '../schema/places.ts'
import { reasonOf } from './goods-edit.ts'

/** What goods are put in order by. */
export type ListKind = 'category' | 'game' | 'region' | 'platform'

export interface ListFault {
  /** Key of the folder's format. */
  readonly field: string
  readonly reason: FieldReason
  /** In plain English, as an import says it. */
  readonly why: string
}

const SHAPES = {
  category: categoryShape,
  game: gameShape,
  region: regionShape,
  platform: platformShape,
}

/**
 * What an import would refuse of one category, game, region or platform as a folder says it.
 * @param others the other categories of the shop, as a folder says them
 */
export function listFaults(
  kind: ListKind,
  document: Row,
  { known, others }: { readonly known: Known; readonly others: readonly Row[] },
): readonly ListFault[] {
  const parsed = SHAPES[kind].safeParse(document)
  if (!parsed.success)
    return parsed.error.issues.map((issue) => ({
      field: fieldAt(jsonPath(issue.path)),
      reason: reasonOf(issue),
      why: issue.message,
    }))
  const faults: ListFault[] = []
  const report: Report = (path, message) => {
    const [, at, field = ''] = /^[a-z]+\[(\d+)\]\.(.*)$/.exec(path) ?? []
    if (at === '0') faults.push({ field: fieldAt(field), reason: 'not_allowed', why: message })
  }
  if (kind === 'category')
    checkCategories(folderOf({ categories: [parsed.data, ...others] }), known, report)
  if (kind === 'game') checkGames(folderOf({ games: [parsed.data] }), known, report)
  return faults
}

const folderOf = (part: Readonly<Record<string, unknown>>): CatalogueFolder =>
  ({ brands: [], ...part }) as unknown as CatalogueFolder

const fieldAt = (path: string) => /^[a-z_]+/.exec(path)?.[0] ?? ''

/** The picture that a new one has: its drawn cover, chosen once. Null where its kind has none. */
export function listPicture(kind: ListKind, document: Row): Row | null {
  const pictures = new Map<string, Row>()
  const code = String(document['code'])
  if (kind === 'game') {
    const none = { brands: [], games: [] }
    const [game] = completeCovers(folderOf({ games: [document as unknown as Game] }), none).games
    pictureRow(pictures, `game/${code}`, game?.picture)
  }
  if (kind === 'category')
    pictureRow(pictures, `category/${code}`, {
      cover: { name: String(document['name']), kind: 'pin' },
    })
  return [...pictures.values()][0] ?? null
}
