import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT } from '../i18n.tsx'
import { NewsTiles } from '../text/news-tiles.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import type { NewsArticleData } from './load.ts'
import css from './news-article.module.css'

const PICTURE = { width: 1125, height: 703 }

export function Page({ data }: { readonly data: NewsArticleData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <article className={css.article}>
        <p className="small muted">
          {t('news.dateAndMinutes', { date: data.date, minutes: data.minutes })}
        </p>
        <h1 lang={data.lang}>{data.title}</h1>
        <EnglishOnly lang={data.lang} />
        {data.image === null ? null : (
          <Picture
            src={data.image}
            {...PICTURE}
            alt=""
            ratio="banner"
            lazy={false}
            priority="high"
          />
        )}
        <TextSections sections={data.sections} lang={data.lang} />
      </article>
      {data.goods.length === 0 ? null : (
        <Section>
          <SectionHeader title={t('news.related')} />
          <GoodsTiles tiles={data.goods} columns={5} />
        </Section>
      )}
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
      <Section>
        <SectionHeader
          title={t('news.latest')}
          more={{ href: href('/news'), text: t('news.all') }}
        />
        <NewsTiles tiles={data.latest} />
      </Section>
    </div>
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
          <bdi lang={lang}>{title}</bdi>
        </b>
      </Panel>
    </a>
  )
}
