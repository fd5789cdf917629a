import type { Selectable } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { PictureTable } from '#platform/tables.ts'
import { MOST_GOODS, type GoodsView } from './cover/goods-art.ts'
import type { CoverRecipe } from './cover/recipe.ts'
import type { SceneName } from './cover/scene.ts'
import { readStoredCover } from './cover/stored.ts'
import { pictureVersion } from './pipeline/version.ts'
import { sentHash } from './rules.ts'
import { pictureCrop, pictureRecipe, type PictureRecipe } from './schema.ts'

export { coverChoices, coverNumbers, drawnCover } from './cover/offer.ts'

export interface StoredPicture {
  readonly recipe: PictureRecipe
  /** Content hash for `v=`; null where the content is not known before it is read. */
  readonly version: string | null
}

/** Every picture of the catalogue by its code. */
export async function listPictures(db: Db): Promise<Map<string, StoredPicture>> {
  const rows = await db.selectFrom('picture').selectAll().execute()
  return new Map(rows.map((row) => [row.code, storedPicture(row)]))
}

/** One picture of the catalogue; null when there is none of this code. */
export async function readPicture(db: Db, code: string): Promise<StoredPicture | null> {
  const row = await db.selectFrom('picture').selectAll().where('code', '=', code).executeTakeFirst()
  return row ? storedPicture(row) : null
}

function storedPicture(row: Selectable<PictureTable>): StoredPicture {
  const recipe: PictureRecipe =
    row.kind === 'cover' ? { kind: 'cover', recipe: readStoredCover(row) } : photographOf(row)
  return { recipe, version: pictureVersion(recipe) }
}

function photographOf({ path, crop }: Selectable<PictureTable>): PictureRecipe {
  const hash = sentHash(path ?? '')
  const shown = pictureCrop.safeParse(crop)
  return pictureRecipe.parse({
    ...(hash === null ? { kind: 'file', path } : { kind: 'sent', hash }),
    // What another release says of it is left out.
    ...(shown.success ? { crop: shown.data } : {}),
  })
}

/** A picture that was sent, as WebP; null where there is none of that hash. */
export async function readSentPicture(db: Db | Tx, hash: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('shop_image')
    .select('content')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.content ?? null
}

/** Reads pictures that were sent, for whoever draws. */
export const sentPictures =
  (db: Db) =>
  (hash: string): Promise<Buffer | null> =>
    readSentPicture(db, hash)

/** Which of these pictures are there; with `isToKeep` they stay until the transaction ends. */
export async function listSentPictures(
  db: Db | Tx,
  hashes: readonly string[],
  isToKeep: boolean,
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('shop_image')
    .select('hash')
    .where('hash', 'in', [...new Set(hashes)])
    .orderBy('hash')
    .$if(isToKeep, (query) => query.forKeyShare())
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}

/** The picture of a scene, which is in no table, and its code. */
export function scenePicture(
  scene: SceneName,
  isMirrored: boolean,
): { readonly code: string; readonly picture: StoredPicture } {
  const recipe: PictureRecipe = { kind: 'scene', scene, isMirrored }
  return {
    code: `${SCENE_PREFIX}${scene}${isMirrored ? '/mirrored' : ''}`,
    picture: { recipe, version: pictureVersion(recipe) },
  }
}

/** Goods together, drawn from their covers; null where none of these pictures is a cover. */
export function goodsPicture(
  view: GoodsView,
  codes: readonly (string | null)[],
  pictures: ReadonlyMap<string, StoredPicture>,
): StoredPicture | null {
  const covers = [...new Set(codes)].flatMap((code): CoverRecipe[] => {
    const recipe = code === null ? undefined : pictures.get(code)?.recipe
    return recipe?.kind === 'cover' ? [recipe.recipe] : []
  })
  if (covers.length === 0) return null
  const recipe: PictureRecipe = { kind: 'goods', view, goods: covers.slice(0, MOST_GOODS) }
  return { recipe, version: pictureVersion(recipe) }
}

/** Prefixes of pictures of goods together: those of an article, those of a game. */
export const ARTICLE_ART_PREFIX = 'article/'
export const GAME_ART_PREFIX = 'game-art/'

/** Prefix of the signs of countries and regions, which are drawn from the code alone. */
export const FLAG_PREFIX = 'flag/'

/** Prefix of scenes, which are drawn from the code alone, too. */
export const SCENE_PREFIX = 'scene/'

/** Prefix of figures beside fields, which are drawn from the code alone as well. */
export const FIGURE_PREFIX = 'figure/'

/** What a picture's code stands for; null for none. */
export function resolvePicture(
  pictures: ReadonlyMap<string, StoredPicture>,
  code: string,
): PictureRecipe | null {
  const known = pictures.get(code)?.recipe
  if (known) return known
  const parsed = pictureRecipe.safeParse(
    code.startsWith(FLAG_PREFIX)
      ? { kind: 'flag', country: code.slice(FLAG_PREFIX.length) }
      : code.startsWith(FIGURE_PREFIX)
        ? { kind: 'figure', figure: code.slice(FIGURE_PREFIX.length) }
        : sceneOfCode(code),
  )
  return parsed.success ? parsed.data : null
}

/** What `scenePicture` names by a code. */
function sceneOfCode(code: string): unknown {
  if (!code.startsWith(SCENE_PREFIX)) return null
  const [scene, mirrored, ...rest] = code.slice(SCENE_PREFIX.length).split('/')
  if (rest.length > 0 || (mirrored !== undefined && mirrored !== 'mirrored')) return null
  return { kind: 'scene', scene, isMirrored: mirrored === 'mirrored' }
}

/** Content hash of what is drawn from its code alone. */
export function drawnVersion(code: string): string | null {
  const recipe = resolvePicture(new Map(), code)
  return recipe ? pictureVersion(recipe) : null
}
