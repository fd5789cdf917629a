import type { ComponentType } from 'react'
import { IconSprite } from '#ui/icon.tsx'
import { SkipLink } from '#ui/notice.tsx'
import { useT } from '../i18n.tsx'
import type { PagePayload, ShellData } from '../page.ts'
import type { Layout } from '../routes.ts'
import { ConsentBanner } from './consent.tsx'
import { FooterBar } from './footer-bar.tsx'
import { HeaderBar } from './header-bar.tsx'
import { LoadingBar, Offline, Toasts } from './signals.tsx'

export interface ShellProps {
  readonly shell: ShellData
  readonly payload: PagePayload
  readonly layout: Layout
  readonly Page: ComponentType<{ readonly data: never }>
}

/** The frame around a page, by its layout (specification §2). Rendered alike on the server and in the browser. */
export function Shell({ shell, payload, layout, Page }: ShellProps) {
  const t = useT()
  return (
    <>
      <IconSprite />
      <SkipLink>{t('shell.skip')}</SkipLink>
      <LoadingBar />
      <Offline />
      <HeaderBar shell={shell} address={payload.address} page={payload.page} />
      <main id="main" tabIndex={-1}>
        <Page data={payload.data as never} />
      </main>
      {layout === 'custom-temp' ? null : <FooterBar footer={shell.footer} />}
      <ConsentBanner />
      <Toasts />
    </>
  )
}
