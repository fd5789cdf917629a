import { ButtonLink } from '#ui/button.tsx'
import { ChipLink } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Panel } from '#ui/panel.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { OrderData } from './order.ts'

export function OrderRoom({ data }: { readonly data: OrderData }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      <div className="row between">
        <Segmented label={t('user.orderStates')} items={data.states.map(({ path, ...filter }) => ({ ...filter, href: href(path) }))} />
        <nav className="row" aria-label={t('user.orderKinds')}>
          {data.kinds.map((kind) => (
            <ChipLink key={kind.text} href={href(kind.path)} removeLabel={kind.current ? t('list.removeFilter', { filter: kind.text }) : undefined}>
              {kind.text}
            </ChipLink>
          ))}
        </nav>
      </div>
      <Panel>
        {data.isFiltered ? (
          <Empty scene="order" level={2} title={t('user.orderNoneFiltered')} text={t('user.orderNoneFilteredText')}>
            <ButtonLink href={href('/user/order')}>{t('user.orderShowAll')}</ButtonLink>
          </Empty>
        ) : (
          <Empty scene="order" level={2} title={t('user.orderNone')} text={t('user.orderNoneText')}>
            <ButtonLink look="solid" href={href('/top-up')}>
              {t('user.browseTopUps')}
            </ButtonLink>
            <ButtonLink href={href('/cards')}>{t('user.browseCards')}</ButtonLink>
          </Empty>
        )}
      </Panel>
    </>
  )
}

export function CardPasswordRoom() {
  const t = useT()
  const href = useHref()
  return (
    <Panel>
      <Empty scene="default" level={2} title={t('user.cardpwdNone')} text={t('user.cardpwdNoneText')}>
        <ButtonLink look="solid" href={href('/cards')}>
          {t('user.browseCards')}
        </ButtonLink>
      </Empty>
    </Panel>
  )
}
