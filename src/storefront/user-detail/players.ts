import { listSavedAccounts } from '#features/buying/saved-account/queries.ts'
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
}

export async function playersData(page: PersonalPageContext): Promise<PlayersData> {
  const { ctx, shop, language, t, query } = page
  const saved = await listSavedAccounts(ctx.db, ownerOf(page).accountId, null)
  const list = saved.map(({ id, label, fieldSet, fields }): ShownPlayer => {
    const brand = shop.catalogue.brandByCode.get(fieldSet)
    const values = Object.entries(fields).map(([key, value]) => {
      const field = brand?.fields.find((known) => known.key === key)
      const option = field?.options.find((known) => known.value === value)
      return option ? phraseIn(shop.catalogue, language.code, option.label) : value
    })
    const name = brand ? goodsName(brand, language.code, t) : ''
    return { id, label, text: formatParts(language.code, [name, ...values]) }
  })
  const renaming = query.get('do') === 'rename' ? query.get('id') : null
  return { list, renaming: list.find(({ id }) => id === renaming) ?? null }
}
