import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'
import { matchRoute } from '../server/match.ts'
import { supportAddress } from '../text/contact-data.ts'
import { isSignInPlatform } from '../text/platforms.ts'
import { ROOMS, type Room, type RoomPath } from './rooms.ts'

export interface LaterData {
  readonly title: string
  readonly text: string
  readonly links: readonly { readonly text: string; readonly path: string }[]
  /** Address of a mail to the shop; null where there is nothing to write. */
  readonly mail: { readonly text: string; readonly href: string } | null
}

export function load(page: PageContext): LaterData {
  const { t } = page
  if (!isSignInPlatform(page.params['platform'])) throw new PageNotFound()
  const { room, title } = roomOf(page)
  const mail = supportAddress(page)
  return {
    title,
    text: t(room.text),
    mail: room.mail
      ? { text: mail, href: `mailto:${mail}?subject=${encodeURIComponent(t(room.mail))}` }
      : null,
    links: room.links.map((link) => ({ text: t(link.text), path: link.path })),
  }
}

export function meta(data: LaterData): PageMeta {
  // What is not there yet is nothing to find.
  return { title: data.title, description: data.text, noIndex: true }
}

function roomOf({ path, t }: PageContext): { room: Room; title: string } {
  const route = matchRoute(path)?.route
  if (!route || !isRoom(route.path)) throw new PageNotFound()
  return { room: ROOMS[route.path], title: t(route.title) }
}

function isRoom(path: string): path is RoomPath {
  return Object.hasOwn(ROOMS, path)
}
