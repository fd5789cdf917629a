import { Badge } from '#ui/badge.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { ChipLink } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { OrderRow } from '#ui/order-row.tsx'
import { Panel } from '#ui/panel.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { OrderData, ShownOrder } from './order.ts'
import { Paging } from './paging.tsx'

export function OrderRoom({ data }: { readonly data: OrderData }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      <div className="row between">
        <Segmented
          label={t('user.orderStates')}
          items={data.states.map(({ path, ...filter }) => ({ ...filter, href: href(path) }))}
        />
        <nav className="row" aria-label={t('user.orderKinds')}>
          {data.kinds.map((kind) => (
            <ChipLink
              key={kind.text}
              href={href(kind.path)}
              removeLabel={kind.current ? t('list.removeFilter', { filter: kind.text }) : undefined}
            >
              {kind.text}
            </ChipLink>
          ))}
        </nav>
      </div>
      {data.orders.length > 0 ? (
        <OrderList orders={data.orders} />
      ) : (
        <NoOrders isFiltered={data.isFiltered} />
      )}
      <Paging data={data.paging} />
    </>
  )
}

export function OrderList({ orders }: { readonly orders: readonly ShownOrder[] }) {
  const href = useHref()
  return (
    <Panel padding="flush">
      {orders.map(({ action, ...order }) => (
        <OrderRow
          key={order.id}
          number={order.number}
          time={order.time}
          badge={<Badge tone={order.tone ?? undefined}>{order.status}</Badge>}
          image={{ src: order.image, width: 240, height: 320 }}
          name={order.name}
          notes={order.notes}
          price={order.total}
          action={
            <ButtonLink look={action.isToPay ? 'pay' : 'edge'} href={href(action.path)}>
              {action.text}
              <span className="sr"> {order.number}</span>
            </ButtonLink>
          }
        />
      ))}
    </Panel>
  )
}

function NoOrders({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useT()
  const href = useHref()
  return (
    <Panel>
      {isFiltered ? (
        <Empty level={2} title={t('user.orderNoneFiltered')} text={t('user.orderNoneFilteredText')}>
          <ButtonLink href={href('/user/order')}>{t('user.orderShowAll')}</ButtonLink>
        </Empty>
      ) : (
        <Empty level={2} title={t('user.orderNone')} text={t('user.orderNoneText')}>
          <ButtonLink look="solid" href={href('/top-up')}>
            {t('user.browseTopUps')}
          </ButtonLink>
          <ButtonLink href={href('/cards')}>{t('user.browseCards')}</ButtonLink>
        </Empty>
      )}
    </Panel>
  )
}
