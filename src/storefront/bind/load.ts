import { readTicket } from '#features/people/identity/flows.ts'
import { BINDING_COOKIE } from '#features/people/identity/rules.ts'
import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'

export interface BindData {
  readonly title: string
  readonly covers: readonly string[]
  readonly store: string
  /** The identity to be connected; null when its ticket has expired or is another browser's. */
  readonly identity: {
    readonly ticket: string
    readonly service: string
    /** Name or address there; empty when the service told none. */
    readonly name: string
    readonly email: string
    /** Otherwise the address must be proven by a code. */
    readonly isEmailVerified: boolean
    readonly redirect: string
  } | null
}

export async function load(page: PersonalPageContext): Promise<BindData> {
  const ticket = page.query.get('ticket') ?? ''
  const open = await readTicket(page.ctx, { ticket, binding: page.cookie(BINDING_COOKIE) })
  return {
    title: page.t('sign-in.bindTitle'),
    covers: wallCovers(page),
    store: page.shop.settings.name,
    identity: open && {
      ticket,
      service: open.service.name,
      name: open.identity.displayName || open.identity.email,
      email: open.identity.email,
      isEmailVerified: open.identity.emailVerified && open.identity.email !== '',
      redirect: open.redirect,
    },
  }
}

export function meta(data: BindData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.bindDescription'), noIndex: true }
}
