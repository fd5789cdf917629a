import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { NotFoundData } from './load.ts'

export function Page({ data }: { readonly data: NotFoundData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className="wrap">
      <Empty level={1} title={data.title} text={t('notFound.description')}>
        <ButtonLink look="solid" href={href('/')}>
          {t('notFound.home')}
        </ButtonLink>
        <ButtonLink href={href('/search')}>{t('notFound.search')}</ButtonLink>
      </Empty>
      {data.hot.length === 0 ? null : (
        <Section>
          <SectionHeader
            title={t('notFound.hot')}
            more={{ href: href('/top-up'), text: t('goods.seeAll'), id: 'top-ups' }}
          />
          <GoodsTiles tiles={data.hot} columns={5} few={9} />
        </Section>
      )}
      {data.cards.length === 0 ? null : (
        <Section>
          <SectionHeader
            title={t('notFound.cards')}
            more={{ href: href('/cards'), text: t('goods.seeAll'), id: 'cards' }}
          />
          <GoodsTiles tiles={data.cards} columns={7} few={6} />
        </Section>
      )}
    </div>
  )
}
