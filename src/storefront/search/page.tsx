import { Button, ButtonLink } from '#ui/button.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Empty } from '#ui/empty.tsx'
import { Select } from '#ui/field.tsx'
import { ListToolbar } from '#ui/filters.tsx'
import { Icon } from '#ui/icon.tsx'
import { Pagination } from '#ui/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { HotList, RegionLink, ResultList, SearchHit } from '#ui/search-panel.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { useFollowing } from '../goods/following.ts'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT } from '../i18n.tsx'
import { chipLabel, forgetSearches, searchHistory } from '../state/search-history.ts'
import { useStore } from '../state/use-store.ts'
import type { SearchData, SearchResult } from './load.ts'
import { useLevelPrices } from './level-prices.ts'
import { useLiveForm } from './live-form.ts'
import { searchAddress } from './search-address.ts'
import css from './search.module.css'

const FORM = 'search-form'
/** Two full rows. */
const HOT_TILES = 10

interface Part {
  readonly data: SearchData
}

export function Page({ data }: Part) {
  const t = useT()
  return (
    <div className={`wrap ${css.page}`}>
      <SearchForm data={data} />
      {data.total === null ? (
        <>
          <h1 className="sr">
            {data.keywords === ''
              ? t('search.heading')
              : t('search.titleFor', { keywords: data.keywords })}
          </h1>
          {data.keywords === '' ? (
            <DetailLayout still aside={<Aside data={data} />}>
              <Empty level={2} title={t('search.startTitle')} text={t('search.startText')} />
            </DetailLayout>
          ) : (
            <>
              <Nothing data={data} />
              <Aside data={data} />
            </>
          )}
        </>
      ) : (
        <Results data={data} total={data.total} />
      )}
    </div>
  )
}

function SearchForm({ data }: Part) {
  const t = useT()
  const href = useHref()
  const [typed, setTyped] = useFollowing(data.keywords)
  const { ref, onSubmit } = useLiveForm(typed, data.keywords)
  return (
    <div ref={ref}>
      <SearchBox
        id={FORM}
        action={href('/search')}
        label={t('search.label')}
        submit={t('search.submit')}
        onSubmit={onSubmit}
        input={{
          id: 'search',
          name: 'keywords',
          value: typed,
          maxLength: 200,
          onChange: (event) => setTyped(event.target.value),
        }}
      >
        {data.type === '' ? null : <input type="hidden" name="type" value={data.type} />}
      </SearchBox>
    </div>
  )
}

function Aside({ data }: Part) {
  const t = useT()
  const href = useHref()
  const history = useStore(searchHistory)
  return (
    <>
      {history.length === 0 ? null : (
        <Panel
          minor
          title={t('search.history')}
          aside={
            <Button look="ghost" size="small" onClick={forgetSearches}>
              <Icon name="trash" />
              {t('search.historyClear')}
            </Button>
          }
        >
          <ChipRow wrap>
            {history.map((entry) => (
              <ChipLink
                key={entry}
                icon="clock"
                href={href(searchAddress({ keywords: entry }))}
                aria-label={entry}
              >
                {chipLabel(entry)}
              </ChipLink>
            ))}
          </ChipRow>
        </Panel>
      )}
      {/* Who has searched in vain sees them as tiles beside it. */}
      {data.hot.length === 0 || data.keywords !== '' ? null : (
        <Panel minor title={t('search.hot')}>
          <HotList
            items={data.hot.map((tile) => ({
              href: href(tile.path),
              text: plain(tile.name),
              lang: tile.lang,
              note: tile.price,
            }))}
          />
        </Panel>
      )}
    </>
  )
}

function plain(name: SearchData['hot'][number]['name']): string {
  return typeof name === 'string' ? name : name.join('')
}

function Nothing({ data }: Part) {
  const t = useT()
  return (
    <>
      <Empty
        level={2}
        title={t('search.emptyTitle', { keywords: data.keywords })}
        text={t('search.emptyText')}
      />
      <section>
        <SectionHeader title={t('search.emptyHot')} />
        <GoodsTiles tiles={data.hot.slice(0, HOT_TILES)} columns={5} few={6} />
      </section>
    </>
  )
}

function Results({ data, total }: Part & { readonly total: string }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      <h1 className={css.total}>{total}</h1>
      <ChipRow role="navigation" aria-label={t('search.kinds')}>
        {data.tabs.map((tab) => (
          <ChipLink key={tab.path} href={href(tab.path)} current={tab.isCurrent}>
            {tab.text} <small className="num">{tab.count}</small>
          </ChipLink>
        ))}
      </ChipRow>
      {data.list ? <OneKind data={data} list={data.list} /> : <AllKinds data={data} />}
    </>
  )
}

function AllKinds({ data }: Part) {
  const t = useT()
  const href = useHref()
  return data.sections.map((section, index) => (
    <section key={section.title}>
      <SectionHeader
        title={section.title}
        more={
          section.more
            ? { href: href(section.more), text: t('goods.seeAll'), id: `found-${index}` }
            : undefined
        }
      />
      <ResultLines results={section.results} />
    </section>
  ))
}

function ResultLines({ results }: { readonly results: readonly SearchResult[] }) {
  const t = useT()
  const href = useHref()
  const own = useLevelPrices(results.map(({ path }) => path))
  return (
    <ResultList>
      {results.map((result) => (
        <SearchHit
          key={result.path}
          href={href(result.path)}
          image={{ src: result.image, width: 240, height: 320 }}
          name={result.name}
          lang={result.lang}
          note={result.note}
          rating={result.rating}
          delivery={result.delivery}
          price={
            result.price === undefined ? undefined : (
              <>
                {result.from ? <small>{t('goods.from')} </small> : null}
                <bdi className="num">{own.get(result.path) ?? result.price}</bdi>
              </>
            )
          }
          regions={result.regions.length === 0 ? undefined : <Regions result={result} />}
        />
      ))}
    </ResultList>
  )
}

function Regions({ result }: { readonly result: SearchResult }) {
  const href = useHref()
  return (
    <>
      {result.regions.map((region) => (
        <RegionLink key={region.path} href={href(region.path)}>
          {region.text}
        </RegionLink>
      ))}
      {result.more === null ? null : (
        <RegionLink href={href(result.path)} label={result.more.label}>
          <bdi dir="ltr">{result.more.text}</bdi>
        </RegionLink>
      )}
    </>
  )
}

function OneKind({ data, list }: Part & { readonly list: NonNullable<SearchData['list']> }) {
  const t = useT()
  const href = useHref()
  const step = (text: string, path: string | null) => ({
    text,
    href: path === null ? undefined : href(path),
  })
  if (list.results.length === 0) {
    return (
      <Empty
        level={2}
        title={t('search.emptyKindTitle', { keywords: data.keywords })}
        text={t('search.emptyKindText')}
      >
        <ButtonLink look="solid" href={href(searchAddress({ keywords: data.keywords }))}>
          {t('search.seeAll')}
        </ButtonLink>
      </Empty>
    )
  }
  return (
    <section>
      <ListToolbar sort={<SortSelect list={list} />} />
      <ResultLines results={list.results} />
      {list.pages.length === 0 ? null : (
        <Pagination
          label={t('list.pages')}
          pages={list.pages.map((page) =>
            page === null
              ? null
              : {
                  text: page.text,
                  label: page.label,
                  href: href(page.path),
                  current: page.isCurrent,
                },
          )}
          previous={step(t('list.previous'), list.previous)}
          next={step(t('list.next'), list.next)}
        />
      )}
    </section>
  )
}

function SortSelect({ list }: { readonly list: NonNullable<SearchData['list']> }) {
  const t = useT()
  const [sort, setSort] = useFollowing(list.sort)
  return (
    <Select
      compact
      name="sort"
      form={FORM}
      aria-label={t('list.sort')}
      value={sort}
      onChange={(event) => {
        setSort(event.target.value)
        event.target.form?.requestSubmit()
      }}
    >
      {list.sorts.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </Select>
  )
}
