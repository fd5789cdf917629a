import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'

export interface ResetPasswordData {
  readonly title: string
  readonly covers: readonly string[]
  readonly strictPasswords: boolean
}

export function load(page: PersonalPageContext): ResetPasswordData {
  return {
    title: page.t('sign-in.resetTitle'),
    covers: wallCovers(page),
    strictPasswords: page.offer.strictPasswords,
  }
}

export function meta(data: ResetPasswordData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.resetDescription'), noIndex: true }
}
