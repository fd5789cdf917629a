import type { ReactNode } from 'react'
import { Who } from '#ui/avatar.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { AreaLayout, SideNav } from '#ui/side-nav.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { AreaData } from './area.ts'

/** A page of the account area: whose it is and the rooms beside it. */
export function Area({
  data,
  title,
  children,
}: {
  readonly data: AreaData
  readonly title: string
  readonly children: ReactNode
}) {
  const href = useHref()
  return (
    <AreaLayout
      who={<Who {...data.who} />}
      nav={
        <SideNav
          label={data.label}
          links={data.links.map(({ path, ...link }) => ({ ...link, href: href(path) }))}
        />
      }
    >
      <h1>{title}</h1>
      {children}
    </AreaLayout>
  )
}

const TABS = [
  ['overview', '/user/account', 'user.tabOverview'],
  ['profile', '/userDetail', 'user.tabProfile'],
  ['security', '/userDetail?section=security', 'user.tabSecurity'],
  ['devices', '/userDetail?section=devices', 'user.tabDevices'],
  ['addresses', '/userDetail?section=addresses', 'user.tabAddresses'],
  ['players', '/userDetail?section=players', 'user.tabPlayers'],
  ['link', '/user/link', 'user.link'],
  ['data', '/userDetail?section=data', 'user.tabData'],
] as const

export type AccountTab = (typeof TABS)[number][0]

/** The parts of the account's own room, one page each. */
export function AccountTabs({ current }: { readonly current: AccountTab }) {
  const t = useT()
  const href = useHref()
  return (
    <Segmented
      label={t('user.tabs')}
      items={TABS.map(([tab, path, text]) => ({
        href: href(path),
        text: t(text),
        current: tab === current,
      }))}
    />
  )
}
