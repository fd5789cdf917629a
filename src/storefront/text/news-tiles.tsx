import { CardGrid, LeadCard, NewsCard } from '#ui/news.tsx'
import { useHref } from '../i18n.tsx'
import type { LeadTile, NewsTile } from './news-tile.ts'

const WIDTH = 386
const HEIGHT = 241

/** A grid of articles. */
export function NewsTiles({ tiles, level }: { tiles: readonly NewsTile[]; level?: 2 | 3 }) {
  const href = useHref()
  return (
    <CardGrid>
      {tiles.map((tile) => (
        <NewsCard
          key={tile.path}
          href={href(tile.path)}
          image={{ src: tile.image, width: WIDTH, height: HEIGHT }}
          category={tile.category ?? undefined}
          date={tile.date}
          title={tile.title}
          lang={tile.lang}
          level={level}
        />
      ))}
    </CardGrid>
  )
}

/** The newest article, above the others. */
export function LeadNews({ tile }: { readonly tile: LeadTile }) {
  const href = useHref()
  return (
    <LeadCard
      href={href(tile.path)}
      image={{ src: tile.image, width: 1125, height: 703 }}
      category={tile.category ?? undefined}
      date={tile.date}
      title={tile.title}
      text={tile.summary}
      lang={tile.lang}
      level={2}
    />
  )
}
