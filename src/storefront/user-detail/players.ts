import { listSavedAccounts } from '#features/buying/saved-account/queries.ts'
import { PHONES } from '#features/buying/saved-account/rules.ts'
import { goodsName } from '#features/goods/browse/view/names.ts'
import { phraseIn } from '#features/goods/catalogue/rules.ts'
import { formatParts } from '#platform/i18n/format.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from '../user/area.ts'

/** Accounts of games and phones that a shopper keeps. */
export interface PlayersData {
  readonly list: readonly ShownPlayer[]
  readonly renaming: ShownPlayer | null
}

export interface ShownPlayer {
  readonly id: string
  readonly label: string
  /** What it is an account of, and the account itself. */
  readonly text: string
  /** The same beside its name, which is the account itself while it has no other. */
  readonly note: string
}

export async function playersData(page: PersonalPageContext): Promise<PlayersData> {
  const { ctx, shop, language, query } = page
  const saved = await listSavedAccounts(ctx.db, ownerOf(page).accountId, null)
  const list = saved.map(({ id, label, fieldSet, fields }): ShownPlayer => {
    const brand = shop.catalogue.brandByCode.get(fieldSet)
    const values = Object.entries(fields).map(([key, value]) => {
      const field = brand?.fields.find((known) => known.key === key)
      const option = field?.options.find((known) => known.value === value)
      return option ? phraseIn(shop.catalogue, language.code, option.label) : value
    })
    const name = nameOf(page, fieldSet)
    const rest = values.filter((value) => value !== label)
    return {
      id,
      label,
      text: formatParts(language.code, [name, ...values]),
      note: formatParts(language.code, [name, ...rest]),
    }
  })
  const renaming = query.get('do') === 'rename' ? query.get('id') : null
  return { list, renaming: list.find(({ id }) => id === renaming) ?? null }
}

/** What an account is of; of goods that are sold no more nothing is known. */
function nameOf({ shop, language, t }: PersonalPageContext, fieldSet: string): string {
  if (fieldSet === PHONES) return t('shop-cart.phone')
  const brand = shop.catalogue.brandByCode.get(fieldSet)
  return brand ? goodsName(brand, language.code, t) : ''
}
