import { CardGrid, NewsCard } from '#ui/news.tsx'
import { useHref } from '../i18n.tsx'
import type { NewsTile } from './news-tile.ts'

const WIDTH = 386
const HEIGHT = 241

/** A grid of articles. */
export function NewsTiles({ tiles }: { readonly tiles: readonly NewsTile[] }) {
  const href = useHref()
  return (
    <CardGrid>
      {tiles.map((tile) => (
        <NewsCard
          key={tile.path}
          href={href(tile.path)}
          image={{ src: tile.image, width: WIDTH, height: HEIGHT }}
          date={tile.date}
          title={tile.title}
          lang={tile.lang}
        />
      ))}
    </CardGrid>
  )
}
