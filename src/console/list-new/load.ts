import { SUBJECT_OF, type EntryList } from '#features/goods/editing/rules.ts'
import { AppError } from '#kernel/error.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { entryChoices, specsOf } from '../list-entry/load.ts'
import { knownList } from '../lists/load.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import type { FieldSpec, Named } from '../product/load.ts'

/** Lists that entries are made in by hand. */
export type MadeList = Exclude<EntryList, 'brands' | 'operators'>

export interface ListNewData {
  readonly list: MadeList
  readonly subject: (typeof SUBJECT_OF)[MadeList]
  readonly specs: Readonly<Record<string, FieldSpec>>
  readonly choices: Readonly<Record<string, readonly Named[]>>
  /** Beside English, the reader's first. */
  readonly languages: readonly Named[]
}

export async function load(context: ConsoleContext): Promise<Loaded<ListNewData>> {
  const { params, t, language } = context
  const list = knownList(params['list'])
  if (list === 'brands' || list === 'operators') throw new AppError('not_found')
  const others = LANGUAGES.filter(({ code }) => code !== 'en')
  const sorted = [
    ...others.filter(({ code }) => code === language.code),
    ...others.filter(({ code }) => code !== language.code),
  ]
  return {
    title: t(`console.lists.add.${list}`),
    data: {
      list,
      subject: SUBJECT_OF[list],
      specs: specsOf(SUBJECT_OF[list], true),
      choices: await entryChoices(context, null),
      languages: sorted.map((one) => ({ code: one.code, name: one.nativeName })),
    },
  }
}
