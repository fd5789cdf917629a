import type { OrderProgressView } from '#features/buying/order/view/shapes.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'

export interface CheckData {
  readonly title: string
  /** What a form posted without script has found. */
  readonly found: OrderProgressView | null
  readonly isSignedIn: boolean
}

export function load({ t, outcome, person }: PersonalPageContext): CheckData {
  return {
    title: t('order.checkTitle'),
    found: outcome?.form === 'check' && outcome.isDone ? (outcome.data as OrderProgressView) : null,
    isSignedIn: person !== null,
  }
}

export function meta(data: CheckData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('order.checkDescription') }
}
