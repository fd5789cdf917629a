import { ButtonLink } from '#ui/button.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Pagination } from '#ui/pagination.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { EnglishOnly } from '../text/sections.tsx'
import { LeadNews, NewsTiles } from '../text/news-tiles.tsx'
import type { NewsListData } from './load.ts'
import css from './news-list.module.css'

export function Page({ data }: { readonly data: NewsListData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <div className={css.head}>
        <h1>{data.title}</h1>
        <SearchBox
          key={data.keywords}
          action={href('/news/search')}
          label={t('news.searchLabel')}
          landmark={t('news.searchLabel')}
          submit={t('news.search')}
          input={{
            id: 'news-search',
            name: 'keywords',
            defaultValue: data.keywords ?? '',
            maxLength: 200,
          }}
        />
      </div>
      <ChipRow role="navigation" aria-label={t('news.categories')}>
        {data.categories.map((category) => (
          <ChipLink key={category.path} href={href(category.path)} current={category.current}>
            {category.name}
          </ChipLink>
        ))}
      </ChipRow>
      {data.keywords === null || data.total === 0 ? null : (
        <p role="status">{t('news.found', { count: data.total })}</p>
      )}
      {data.total === 0 ? (
        <NothingFound keywords={data.keywords} />
      ) : (
        <>
          <EnglishOnly lang={(data.lead ?? data.tiles[0])?.lang} />
          {data.lead === null ? null : <LeadNews tile={data.lead} />}
          <NewsTiles tiles={data.tiles} level={2} />
        </>
      )}
      <Pages data={data} />
    </div>
  )
}

function NothingFound({ keywords }: { readonly keywords: string | null }) {
  const t = useT()
  const href = useHref()
  return (
    <Empty
      level={2}
      title={
        keywords === null
          ? t('news.none')
          : keywords === ''
            ? t('news.askTitle')
            : t('news.noMatchTitle')
      }
      text={
        keywords === null
          ? t('news.noneText')
          : keywords === ''
            ? t('news.askText')
            : t('news.noMatchText', { keywords })
      }
    >
      <ButtonLink href={href(keywords === null ? '/' : '/news')}>
        {keywords === null ? t('shell.home') : t('news.showAll')}
      </ButtonLink>
    </Empty>
  )
}

function Pages({ data }: { readonly data: NewsListData }) {
  const t = useT()
  const href = useHref()
  if (data.pages.length === 0) return null
  return (
    <Pagination
      label={t('news.pages')}
      pages={data.pages.map(
        (page) =>
          page && {
            text: String(page.number),
            href: href(page.path),
            label: t('news.page', { page: page.number }),
            current: page.current,
          },
      )}
      previous={{
        text: t('news.newer'),
        href: data.previous === null ? undefined : href(data.previous),
      }}
      next={{ text: t('news.older'), href: data.next === null ? undefined : href(data.next) }}
    />
  )
}
