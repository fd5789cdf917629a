import { keyRows, type KeyRows } from '../card-keys/data.ts'
import type { PersonalPageContext } from '../page.ts'
import { pageAsked, pagingData, type PagingData } from './paging.ts'

const ON_A_PAGE = 20
const PATH = '/user/cardpwd'

export interface CardpwdData extends KeyRows {
  /** How many there are, as a sentence. */
  readonly count: string
  /** The step of taking them along (`do=export`). */
  readonly isExporting: boolean
  readonly language: string
  readonly paging: PagingData
}

export async function cardpwdData(page: PersonalPageContext): Promise<CardpwdData> {
  const asked = pageAsked(page)
  const read = (number: number) =>
    keyRows(page, {
      page: number,
      limit: ON_A_PAGE,
      path: number === 1 ? PATH : `${PATH}?page=${number}`,
    })
  let found = await read(asked)
  const last = Math.max(1, Math.ceil(found.total / ON_A_PAGE))
  if (asked > last) found = await read(last)
  return {
    ...found,
    count: page.t('cardpwd.count', { count: found.total }),
    isExporting: page.query.get('do') === 'export',
    language: page.language.code,
    paging: pagingData(page, PATH, Math.min(asked, last), last),
  }
}
