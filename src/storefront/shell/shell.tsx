import type { ComponentType } from 'react'
import { IconSprite } from '#ui/icon.tsx'
import { SkipLink } from '#ui/notice.tsx'
import { PageStateProvider } from '../forms/page-state.tsx'
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
    <PageStateProvider value={{ address: payload.address, outcome: payload.outcome }}>
      <IconSprite />
      <SkipLink>{t('shell.skip')}</SkipLink>
      <LoadingBar />
      <Offline />
      <HeaderBar shell={shell} payload={payload} />
      <main id="main" tabIndex={-1}>
        <Page data={payload.data as never} />
      </main>
      {layout === 'custom-temp' ? null : <FooterBar footer={shell.footer} shop={shell.shop} />}
      <ConsentBanner />
      <Toasts />
    </PageStateProvider>
  )
}
