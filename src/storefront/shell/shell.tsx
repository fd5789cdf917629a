import type { ComponentType } from 'react'
import { IconSprite } from '#ui/icon-sprite.tsx'
import { SkipLink } from '#ui/notice.tsx'
import { PageStateProvider } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { island } from '../islands.ts'
import type { PagePayload, ShellData } from '../page.ts'
import type { Layout } from '../routes.ts'
import { Abroad } from './abroad.tsx'
import { ConsentBanner } from './consent.tsx'
import { FooterBar } from './footer-bar.tsx'
import { HeaderBar } from './header-bar.tsx'
import { hasFooter } from './load.ts'
import { LoadingBar, Offline, ToastIsland } from './signals.tsx'

export interface ShellProps {
  readonly shell: ShellData
  readonly payload: PagePayload
  readonly layout: Layout
  /** The main part comes alive as one. */
  readonly isWhole: boolean
  readonly Page: ComponentType<{ readonly data: never }>
}

/** The frame around a page, by its layout (specification §2). Rendered on the server; the browser brings islands of it to life. */
export function Shell({ shell, payload, layout, isWhole, Page }: ShellProps) {
  const t = useT()
  return (
    <PageStateProvider value={{ address: payload.address, outcome: payload.outcome }}>
      <IconSprite />
      <SkipLink>{t('shell.skip')}</SkipLink>
      {/* Early for who goes by keys; the document says whether it stands above a bar (`server/document.ts`). */}
      <ConsentBanner />
      <LoadingBar />
      <Offline />
      <HeaderBar shell={shell} payload={payload} />
      <main id="main" tabIndex={-1} {...(isWhole ? island('main') : undefined)}>
        <Page data={payload.data as never} />
      </main>
      {isWhole ? null : <Abroad currency={shell.currency.code} address={payload.address} />}
      {hasFooter(layout, shell) ? <FooterBar footer={shell.footer} shop={shell.shop} /> : null}
      <ToastIsland />
    </PageStateProvider>
  )
}
