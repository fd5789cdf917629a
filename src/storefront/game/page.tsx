import { ChipLink } from '#ui/chip.tsx'
import { DetailHeader, DetailLine } from '#ui/detail.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import type { GoodsTile } from '../goods/tile.ts'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT } from '../i18n.tsx'
import { NewsTiles } from '../text/news-tiles.tsx'
import type { GameData } from './load.ts'

export function Page({ data }: { readonly data: GameData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      <DetailHeader
        cover={{ src: data.image, width: 240, height: 320, alt: '' }}
        title={data.name}
        lang={data.lang}
      >
        {data.publisher === null && data.released === null ? null : (
          <DetailLine>
            {data.publisher === null ? null : <bdi>{data.publisher}</bdi>}
            {data.released === null ? null : <span>{data.released}</span>}
          </DetailLine>
        )}
        <DetailLine>
          {data.platforms.map((platform) => (
            <ChipLink key={platform.path} href={href(platform.path)}>
              {platform.text}
            </ChipLink>
          ))}
        </DetailLine>
      </DetailHeader>
      <Shelf title={t('game.topUps')} note={t('game.topUpsNote')} tiles={data.topUps} />
      <Shelf title={t('game.cards')} note={t('game.cardsNote')} tiles={data.cards} />
      <Shelf title={t('game.keys')} note={t('game.keysNote')} tiles={data.keys} />
      {data.news.length === 0 ? null : (
        <Section>
          <SectionHeader title={t('game.news')} />
          <NewsTiles tiles={data.news} />
        </Section>
      )}
    </div>
  )
}

function Shelf({
  title,
  note,
  tiles,
}: {
  readonly title: string
  readonly note: string
  readonly tiles: readonly GoodsTile[]
}) {
  if (tiles.length === 0) return null
  return (
    <Section>
      <SectionHeader title={title} note={note} />
      <GoodsTiles tiles={tiles} />
    </Section>
  )
}
