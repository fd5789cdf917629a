import type {
  Brand,
  Catalogue,
  Category,
  Game,
  Product,
  Texts,
  Unit,
} from '#features/goods/catalogue/rules.ts'
import type { SearchDocument, SearchText } from '#features/goods/search/engine/index-builder.ts'
import { PLACE_WORDS } from '#features/goods/search/engine/place-words.ts'

const everyLanguage = (kind: SearchText['kind'], texts: readonly string[]): SearchText[] =>
  texts.filter((text) => text !== '').map((text) => ({ text, language: null, kind }))

const eachLanguage = (kind: SearchText['kind'], texts: Texts): SearchText[] =>
  Object.entries(texts).map(([language, text]) => ({ text: text as string, language, kind }))

type EachLanguage = typeof eachLanguage

const textsOfUnit = new WeakMap<Unit, readonly SearchText[]>()

/** A unit is looked for by its name and by each of its forms: "Diamonds", "diamond", "алмазов", "de diamantes" as titles have it. */
function unitTexts(unit: Unit): readonly SearchText[] {
  let texts = textsOfUnit.get(unit)
  if (!texts) {
    const forms = Object.entries(unit.forms).flatMap(([language, own]) =>
      Object.values(own).map((form) => ({ language, text: form.replace('{n}', '').trim() })),
    )
    texts = [
      ...eachLanguage('alias', unit.name),
      ...forms.map((form) => ({ ...form, kind: 'alias' as const })),
    ]
    textsOfUnit.set(unit, texts)
  }
  return texts
}

/** The same objects for the same names, however many products carry them: the index is built several times as fast. */
function sharedTexts(): EachLanguage {
  const ofKind = new Map<SearchText['kind'], Map<Texts, SearchText[]>>()
  return (kind, texts) => {
    const known = ofKind.get(kind) ?? new Map<Texts, SearchText[]>()
    const shared = known.get(texts) ?? eachLanguage(kind, texts)
    ofKind.set(kind, known.set(texts, shared))
    return shared
  }
}

/** Each product by its place in the catalogue. */
export function productDocuments(catalogue: Catalogue): SearchDocument[] {
  const each = sharedTexts()
  return catalogue.products.map((product) => productDocument(product, catalogue, each))
}

function productDocument(
  product: Product,
  catalogue: Catalogue,
  each: EachLanguage,
): SearchDocument {
  const { brand, region } = product
  const game = brand.game === null ? undefined : catalogue.gameByCode.get(brand.game)
  return {
    id: product.index,
    popularity: brand.popularity * 2 + (product.isLeading ? 1 : 0),
    texts: [
      ...each('name', brand.name),
      ...everyLanguage('alias', [...brand.aliases, ...(game?.aliases ?? [])]),
      ...(game && game.name.en !== brand.name.en ? each('alias', game.name) : []),
      ...(brand.unit && brand.kind === 'top_up' ? unitTexts(brand.unit) : []),
      ...everyLanguage('publisher', [brand.publisher]),
      ...everyLanguage('code', [product.code]),
      ...each('region', region.name),
      ...everyLanguage('region', [...(PLACE_WORDS[region.code] ?? []), product.faceCurrency ?? '']),
      ...[...categoriesOf(brand, catalogue)].flatMap((category) => each('category', category.name)),
      ...territories(product, catalogue, each),
    ],
  }
}

/** The brand's categories and what stands above them ("Top-up"), each once. */
function categoriesOf(brand: Brand, catalogue: Catalogue): ReadonlySet<Category> {
  const found = new Set<Category>()
  for (const id of brand.categoryIds) {
    for (
      let category = catalogue.categoryById.get(id);
      category && !found.has(category);
      category = catalogue.parentOfCategory.get(category.id)
    ) {
      found.add(category)
    }
  }
  return found
}

/** A region of more countries than this is found by its own name alone. */
const MOST_COUNTRIES = 40

/** The countries of a wider region: what works in the eurozone is looked for as "italia". */
function territories(
  { region, countries }: Product,
  catalogue: Catalogue,
  each: EachLanguage,
): SearchText[] {
  if (countries === null || countries.length > MOST_COUNTRIES) return []
  return countries
    .map((country) => country.toLowerCase())
    .filter((code) => code !== region.code)
    .flatMap((code) => {
      const place = catalogue.regions.get(code)
      return [
        ...(place ? each('territory', place.name) : []),
        ...everyLanguage('territory', PLACE_WORDS[code] ?? []),
      ]
    })
}

export function gameDocument(game: Game, id: number): SearchDocument {
  return {
    id,
    popularity: game.popularity,
    texts: [
      ...eachLanguage('name', game.name),
      ...everyLanguage('alias', game.aliases),
      ...everyLanguage('publisher', [game.publisher]),
      ...everyLanguage('code', [game.code]),
    ],
  }
}
