import { Button, ButtonLink } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Empty } from '#ui/empty.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { SummaryList } from '#ui/summary.tsx'
import { useEffect, useState, type ReactNode } from 'react'
import { useHref, useT } from '../i18n.tsx'
import { writeAmount } from '../product/amounts.ts'
import { cart, type CartLine } from '../state/cart.ts'
import { useStore } from '../state/store.ts'
import { subtotalMinor, usePricedLines } from './cart-goods.ts'
import { Line } from './line.tsx'
import type { ShopCartData } from './load.ts'
import css from './shop-cart.module.css'

export function Page({ data }: { readonly data: ShopCartData }) {
  const lines = useStore(cart)
  const [isOpen, setOpen] = useState(false)
  // The server knows no cart: what this browser keeps is read once the application is alive.
  useEffect(() => setOpen(true), [])
  if (!isOpen) return <Frame count={0}><Waiting /></Frame>
  if (lines.length === 0) return <Frame count={0}><EmptyCart /></Frame>
  return <FullCart data={data} lines={lines} />
}

function Frame({ count, children }: { readonly count: number; readonly children: ReactNode }) {
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

function Waiting() {
  const t = useT()
  return (
    <Panel data-now="">
      <div className="stack">
        <noscript>
          <Note>{t('shop-cart.needsScript')}</Note>
        </noscript>
        <div className={css.waiting}>
          <Skeleton />
          <Skeleton shape="half" />
          <Skeleton />
        </div>
      </div>
    </Panel>
  )
}

function EmptyCart() {
  const t = useT()
  const href = useHref()
  return (
    <Panel>
      <Empty scene="shopcar" level={2} title={t('shop-cart.emptyTitle')} text={t('shop-cart.emptyText')}>
        <ButtonLink href={href('/top-up')} look="solid">{t('title.topUp')}</ButtonLink>
        <ButtonLink href={href('/cards')}>{t('title.cards')}</ButtonLink>
      </Empty>
    </Panel>
  )
}

function FullCart({ data, lines }: { readonly data: ShopCartData; readonly lines: readonly CartLine[] }) {
  const t = useT()
  const priced = usePricedLines(lines)
  const isComplete = priced.lines.every(({ state }) => state !== 'loading' && state !== 'failed')
  const units = priced.lines.reduce((sum, { line, state }) => sum + (state === 'ready' ? line.quantity : 0), 0)
  return (
    <Frame count={lines.length}>
      <DetailLayout
        aside={
          <Panel>
            <div className="stack">
              <SummaryList
                rows={[{ label: t('shop-cart.fee'), value: t('shop-cart.feeLater'), look: 'muted' }]}
                total={{ label: t('shop-cart.subtotal', { count: units }), value: isComplete ? writeAmount(data.money, subtotalMinor(priced.lines)) : '…' }}
              />
              <Button look="pay" size="large" block blocked={{ id: 'not-yet', reason: t('shop-cart.notYet') }}>
                {t('shop-cart.pay')}
              </Button>
            </div>
          </Panel>
        }
      >
        <Panel>
          <ul>
            {priced.lines.map((line) => (
              <Line key={keyOf(line.line)} priced={line} money={data.money} />
            ))}
          </ul>
        </Panel>
        {priced.lines.some(({ state }) => state === 'failed') ? (
          <Note tone="bad" role="alert" action={<Button look="edge" size="small" onClick={priced.retry}>{t('shop-cart.retry')}</Button>}>
            {t('shop-cart.failed')}
          </Note>
        ) : null}
        <Note>{t('shop-cart.inThisBrowser')}</Note>
      </DetailLayout>
    </Frame>
  )
}

function keyOf(line: CartLine): string {
  return `${line.item} ${JSON.stringify(line.fields)}`
}
