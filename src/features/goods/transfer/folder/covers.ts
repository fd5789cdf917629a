import { chooseDesign, REACH } from '#features/goods/picture/cover/choose.ts'
import type {
  CoverDesign,
  CoverKind,
  CoverRecipe,
  PartialDesign,
} from '#features/goods/picture/cover/recipe.ts'
import type { Brand, Game } from '../schema/goods.ts'
import type { CatalogueFolder } from './catalogue.ts'

/** A brand or game as the shop has it: what the folder's own are compared with and stand among. */
export interface StoredCover {
  readonly code: string
  readonly kind: string
  readonly popularity: number
  /** What a brand is of; empty without. */
  readonly game?: string | null | undefined
  /** Null where its picture is a file or missing. */
  readonly recipe: CoverRecipe | null
}

export interface StoredCovers {
  readonly brands: readonly StoredCover[]
  readonly games: readonly StoredCover[]
}

/**
 * The folder with a whole design for every cover of a brand and a game: what it does not say stays as the shop has it, and is
 * else chosen by the rule, in the order of the catalogue, unlike its neighbours. So it is chosen once: brands that come later
 * repaint none. A brand without any picture gets a cover too.
 */
export function completeCovers(folder: CatalogueFolder, stored: StoredCovers): CatalogueFolder {
  const known = new Map(stored.brands.map((brand) => [brand.code, brand]))
  const shelf = chooseOnShelf(folder, stored, known)
  const designs = new Map([...shelf, ...chooseOfOperators(folder, known)])
  const brands = folder.brands.map((place) => ({
    ...place,
    brand: withDesign(place.brand, designs.get(place.brand.code)),
  }))
  return { ...folder, brands, games: completeGames(folder.games, brands, stored) }
}

const KINDS: Readonly<Record<Brand['kind'], CoverKind>> = {
  top_up: 'topup',
  game_card: 'pin',
  gift_card: 'gift',
  prepaid_card: 'pin',
  subscription: 'sub',
  recharge: 'sim',
  game_key: 'topup',
}

/** What object a brand's goods are drawn as. */
export const coverKindOf = (kind: Brand['kind']): CoverKind => KINDS[kind]

/** Cards first, then top-ups, then keys; within these by demand. */
const SHELVES: Readonly<Record<string, number>> = {
  game_card: 0,
  gift_card: 0,
  prepaid_card: 0,
  subscription: 0,
  top_up: 1,
  game_key: 2,
}

/** The recipe a picture is drawn from; null where it is a file. */
function recipeOf({ name, kind, picture }: Brand): CoverRecipe | null {
  if (!picture) return { name, kind: KINDS[kind] }
  return 'cover' in picture ? picture.cover : null
}

function withDesign(brand: Brand, design: PartialDesign | undefined): Brand {
  const recipe = recipeOf(brand)
  return recipe && design ? { ...brand, picture: { cover: { ...recipe, design } } } : brand
}

/** One place in the order of the catalogue; `brand` where the folder may still lack something. */
interface Slot {
  readonly code: string
  readonly kind: string
  readonly popularity: number
  readonly brand: Brand | null
  readonly recipe: CoverRecipe | null
  design: PartialDesign
}

function chooseOnShelf(
  folder: CatalogueFolder,
  stored: StoredCovers,
  known: ReadonlyMap<string, StoredCover>,
): Map<string, PartialDesign> {
  const named = new Set(folder.brands.map(({ brand }) => brand.code))
  const slots: Slot[] = [
    ...folder.brands
      .filter(({ brand }) => brand.kind !== 'recharge')
      .map(({ brand }) => slotOf(brand, known)),
    ...stored.brands
      .filter(({ code, kind }) => kind !== 'recharge' && !named.has(code))
      .map((row) => ({ ...row, brand: null, design: row.recipe?.design ?? {} })),
  ].sort(
    (a, b) =>
      (SHELVES[a.kind] ?? 0) - (SHELVES[b.kind] ?? 0) ||
      b.popularity - a.popularity ||
      (a.code < b.code ? -1 : 1),
  )
  slots.forEach((slot, at) => {
    if (!slot.brand || !slot.recipe) return
    slot.design = chooseDesign(subjectOf(slot.brand, slot.recipe), slot.design, {
      before: slots.slice(Math.max(0, at - REACH), at).map(({ design }) => design),
      after: slots
        .slice(at + 1, at + 1 + REACH)
        .map(({ design }) => design)
        .reverse(),
    })
  })
  return designsOf(slots)
}

/** Operators are looked at a country at a time, in the order of its file. */
function chooseOfOperators(
  folder: CatalogueFolder,
  known: ReadonlyMap<string, StoredCover>,
): Map<string, PartialDesign> {
  const operators = folder.brands.filter(({ brand }) => brand.kind === 'recharge')
  const all: Slot[] = []
  for (const group of Map.groupBy(operators, ({ file }) => file).values()) {
    const slots = group.map(({ brand }) => slotOf(brand, known))
    slots.forEach((slot, at) => {
      if (!slot.brand || !slot.recipe) return
      slot.design = chooseDesign(subjectOf(slot.brand, slot.recipe), slot.design, {
        before: slots.slice(0, at).map(({ design }) => design),
        after: slots
          .slice(at + 1)
          .map(({ design }) => design)
          .reverse(),
      })
    })
    all.push(...slots)
  }
  return designsOf(all)
}

function designsOf(slots: readonly Slot[]): Map<string, PartialDesign> {
  return new Map(
    slots.filter(({ brand, recipe }) => brand && recipe).map(({ code, design }) => [code, design]),
  )
}

function slotOf(brand: Brand, known: ReadonlyMap<string, StoredCover>): Slot {
  const recipe = recipeOf(brand)
  return {
    code: brand.code,
    kind: brand.kind,
    popularity: brand.popularity ?? 0,
    brand,
    recipe,
    design: recipe ? storedDesign(recipe, known.get(brand.code)?.recipe ?? null) : {},
  }
}

function subjectOf(brand: Pick<Brand, 'code' | 'categories'>, recipe: CoverRecipe) {
  const { name, kind, color, short } = recipe
  return { code: brand.code, name, kind, color, short, categories: brand.categories ?? [] }
}

/** What the folder says, and of what it does not say, what the shop has chosen before for the same words, colour and motif. */
function storedDesign(recipe: CoverRecipe, before: CoverRecipe | null): PartialDesign {
  const said = recipe.design ?? {}
  const { motif, inks, ink, voice, lines, layout, title, ground } = before?.design ?? {}
  const isSameText = before?.name === recipe.name && before.short === recipe.short
  const isSameColour = before?.color === recipe.color
  const isSameMotif = said.motif === undefined || said.motif === motif
  return Object.fromEntries(
    Object.entries({
      motif,
      ...(isSameColour ? { inks } : {}),
      ...(isSameColour && said.inks === undefined ? { ink } : {}),
      ...(isSameText ? { voice, lines } : {}),
      ...(isSameMotif && said.layout === undefined ? { layout, title, ground } : {}),
      ...said,
    }).filter(([, value]) => value !== undefined),
  ) as PartialDesign
}

interface Wearer {
  readonly code: string
  readonly category: string | undefined
  readonly recipe: CoverRecipe
}

/** A game wears what its top-up wears: one world, one picture. Null where nothing of it is sold. */
export function wornDesign(
  { code, category, recipe }: Wearer,
  goods: readonly StoredCover[],
): CoverDesign | null {
  const [first] = goods
    .filter((brand) => brand.recipe?.design)
    .sort((a, b) => worldRank(a) - worldRank(b) || (a.code < b.code ? -1 : 1))
  if (!first?.recipe?.design) return null
  const { lines, ...world } = first.recipe.design
  const isNamedAlike = worldRank(first) < 2
  const categories = category === undefined ? [] : [category]
  return chooseDesign(
    subjectOf({ code, categories }, recipe),
    isNamedAlike && lines ? { ...world, lines } : world,
  )
}

/** Cards of a game have other names than the game. */
const worldRank = ({ kind }: StoredCover) => (kind === 'top_up' ? 0 : kind === 'game_key' ? 1 : 2)

function completeGames(
  games: readonly Game[],
  brands: readonly { readonly brand: Brand }[],
  stored: StoredCovers,
): readonly Game[] {
  const known = new Map(stored.games.map((game) => [game.code, game.recipe]))
  const named = new Set(brands.map(({ brand }) => brand.code))
  const goods = Map.groupBy(
    [
      ...brands.map(({ brand }) => ({ ...brand, popularity: 0, recipe: recipeOf(brand) })),
      ...stored.brands.filter(({ code }) => !named.has(code)),
    ],
    ({ game }) => game ?? '',
  )
  return games.map((game) => {
    const recipe = coverOfGame(game)
    if (!recipe) return game
    const wearer = { code: game.code, category: game.category, recipe }
    const worn = wornDesign(wearer, goods.get(game.code) ?? [])
    const given = worn
      ? { ...worn, ...recipe.design }
      : storedDesign(recipe, known.get(game.code) ?? null)
    const categories = game.category === undefined ? [] : [game.category]
    const design = chooseDesign(subjectOf({ code: game.code, categories }, recipe), given)
    return { ...game, picture: { cover: { ...recipe, design } } }
  })
}

function coverOfGame({ name, picture }: Game): CoverRecipe | null {
  if (!picture) return { name, kind: 'topup' }
  return 'cover' in picture ? picture.cover : null
}
