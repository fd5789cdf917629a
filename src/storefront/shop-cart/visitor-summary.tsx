import type { ReactNode } from 'react'
import { Panel } from '#ui/panel.tsx'
import { SummaryList } from '#ui/summary.tsx'
import { useT } from '../i18n.tsx'
import { Assurances } from './frame.tsx'

/** Where a visitor signs in to pay, and comes back from. */
export const SIGN_IN_TO_PAY = '/login?redirect=%2Fshop-cart'

/** What a visitor's cart comes to, beside its lines; the fee is known once a method is chosen. */
export function VisitorSummary({
  count,
  total,
  children,
}: {
  readonly count: number
  readonly total: string
  /** The way to payment. */
  readonly children: ReactNode
}) {
  const t = useT()
  return (
    <Panel>
      <div className="stack">
        <SummaryList
          rows={[
            { label: t('shop-cart.items', { count }), value: total },
            { label: t('shop-cart.fee'), value: t('shop-cart.feeLater'), look: 'muted' },
          ]}
          total={{ label: t('shop-cart.total'), value: total }}
        />
        {children}
        <p className="small muted">{t('shop-cart.signInToPay')}</p>
        <Assurances />
      </div>
    </Panel>
  )
}
