import { DetailLayout } from '#ui/detail.tsx'
import { foreign } from '#ui/foreign.ts'
import { Icon } from '#ui/icon.tsx'
import { MiniList } from '#ui/mini.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { NewsTiles } from '../text/news-tiles.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import type { NewsArticleData } from './load.ts'
import css from './news-article.module.css'

const PICTURE = { width: 1125, height: 703 }
const COVER = { width: 240, height: 320 }

export function Page({ data }: { readonly data: NewsArticleData }) {
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      {data.goods.length === 0 ? (
        <div className={css.alone}>
          <Article data={data} />
        </div>
      ) : (
        <DetailLayout aside={<Goods data={data} />}>
          <Article data={data} />
        </DetailLayout>
      )}
      <Latest data={data} />
    </div>
  )
}

interface Part {
  readonly data: NewsArticleData
}

function Article({ data }: Part) {
  const t = useT()
  const href = useHref()
  return (
    <>
      <article className={css.article}>
        <p className="small muted">
          {data.category === null ? null : (
            <>
              <a className={css.category} href={href(data.category.path)}>
                {data.category.title}
              </a>
              {' · '}
            </>
          )}
          {t('news.dateAndMinutes', { date: data.date, minutes: data.minutes })}
        </p>
        <h1 {...foreign(data.lang)}>{data.title}</h1>
        <EnglishOnly lang={data.lang} />
        {data.image === null ? null : (
          <Picture src={data.image} {...PICTURE} alt="" ratio="wide" lazy={false} priority="high" />
        )}
        <TextSections sections={data.sections} lang={data.lang} />
      </article>
      <Neighbours data={data} />
    </>
  )
}

/** What can be bought of what it speaks of. */
function Goods({ data }: Part) {
  const t = useT()
  const href = useHref()
  const from = t('goods.from')
  return (
    <section className="stack">
      <h2 className={css.minor}>{t('news.related')}</h2>
      <MiniList
        items={data.goods.map((tile) => ({
          href: href(tile.path),
          image: { src: tile.image, ...COVER },
          name: typeof tile.name === 'string' ? tile.name : tile.name.join(''),
          lang: tile.lang,
          note: tile.note,
          price: tile.price === undefined || !tile.from ? tile.price : `${from} ${tile.price}`,
        }))}
      />
    </section>
  )
}

function Neighbours({ data }: Part) {
  const t = useT()
  const href = useHref()
  return (
    <nav className={css.neighbours} aria-label={t('news.neighbours')}>
      {data.previous === null ? (
        <span />
      ) : (
        <Neighbour
          rel="prev"
          href={href(data.previous.path)}
          label={t('news.previous')}
          title={data.previous.title}
          lang={data.lang}
        />
      )}
      {data.next === null ? null : (
        <Neighbour
          rel="next"
          href={href(data.next.path)}
          label={t('news.next')}
          title={data.next.title}
          lang={data.lang}
        />
      )}
    </nav>
  )
}

function Latest({ data }: Part) {
  const t = useT()
  const href = useHref()
  if (data.latest.length === 0) return null
  return (
    <Section className={css.latest}>
      <SectionHeader title={t('news.latest')} more={{ href: href('/news'), text: t('news.all') }} />
      <NewsTiles tiles={data.latest} />
    </Section>
  )
}

interface NeighbourProps {
  readonly rel: 'prev' | 'next'
  readonly href: string
  readonly label: string
  readonly title: string
  readonly lang: 'en' | undefined
}

function Neighbour({ rel, href, label, title, lang }: NeighbourProps) {
  return (
    <a href={href} rel={rel} className={rel === 'next' ? css.next : undefined}>
      <Panel>
        <span className="small muted row">
          {rel === 'prev' ? <Icon name="left" /> : null}
          {label}
          {rel === 'next' ? <Icon name="right" /> : null}
        </span>
        <b>
          <span {...foreign(lang)}>{title}</span>
        </b>
      </Panel>
    </a>
  )
}
