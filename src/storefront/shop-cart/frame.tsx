import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { IconList } from '#ui/list.tsx'
import { Panel } from '#ui/panel.tsx'
import type { ReactNode } from 'react'
import { useHref, useT } from '../i18n.tsx'
import css from './shop-cart.module.css'

/** The page around any cart. It comes alive at once: what a browser kept is shown by the application alone. */
export function Frame({
  count,
  children,
}: {
  readonly count: number
  readonly children: ReactNode
}) {
  const t = useT()
  return (
    <div className={`wrap ${css.page}`}>
      <h1>
        {t('title.shopCart')} {count === 0 ? null : <span className="muted num">{count}</span>}
      </h1>
      {children}
    </div>
  )
}

export function EmptyCart() {
  const t = useT()
  const href = useHref()
  return (
    <Panel>
      <Empty level={2} title={t('shop-cart.emptyTitle')} text={t('shop-cart.emptyText')}>
        <ButtonLink href={href('/top-up')} look="solid">
          {t('title.topUp')}
        </ButtonLink>
        <ButtonLink href={href('/cards')}>{t('title.cards')}</ButtonLink>
      </Empty>
    </Panel>
  )
}

/** What the shop promises beside the way to payment. */
export function Assurances() {
  const t = useT()
  return (
    <IconList
      items={[
        { icon: 'lock', text: t('shop-cart.secure') },
        { icon: 'refresh', text: t('shop-cart.refunded') },
      ]}
    />
  )
}
