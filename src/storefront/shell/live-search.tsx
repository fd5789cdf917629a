import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
} from 'react'
import type { LanguageCode } from '#kernel/language.ts'
import { formatAverage } from '#platform/i18n/format.ts'
import { Button } from '#ui/button.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { Icon } from '#ui/icon.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import {
  HitCount,
  HotList,
  RegionLink,
  SearchColumns,
  SearchFoot,
  SearchGroup,
  SearchHit,
  SearchPanel,
} from '#ui/search-panel.tsx'
import { useHref, useT, useWords } from '../i18n.tsx'
import { island } from '../islands.ts'
import {
  chipLabel,
  forgetSearches,
  openSearchHistory,
  rememberSearch,
  searchHistory,
} from '../state/search-history.ts'
import { useStore } from '../state/use-store.ts'
import { useHotGoods, useLiveResults, type LiveHit } from './search-results.ts'
import css from './shell.module.css'

const CLEAR_MS = 300

export interface SearchBoxText {
  /** Of the input, unique in the page. */
  readonly id: string
  readonly label: string
  /** Name of the landmark, unique in the page. */
  readonly landmark: string
  /** Large, with a button bearing this text. */
  readonly submit?: string
}

/** The island of a search box: as plain HTML a form, alive once it is touched. */
export function SearchIsland(props: SearchBoxText) {
  return (
    <div className={css.search} {...island('search')} data-search={JSON.stringify(props)}>
      <LiveSearch {...props} />
    </div>
  )
}

/**
 * Search box of the header and of the home page: history, what is hot, and results while typing. It opens on focus or click, closes on
 * a click outside, on Escape and when submitted; the input empties 300 ms later (specification §4). Without script it is a form.
 */
export function LiveSearch({ id, label, landmark, submit: submitText }: SearchBoxText) {
  const t = useT()
  const href = useHref()
  const [keyword, setKeyword] = useState('')
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLFormElement>(null)
  const panel = `${id}-panel`
  const wanted = keyword.trim()

  useEffect(openSearchHistory, [])

  useEffect(() => {
    if (!isOpen) return
    const close = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [isOpen])

  const submit = (event: FormEvent) => {
    if (wanted === '') return event.preventDefault()
    rememberSearch(wanted)
    setOpen(false)
    setTimeout(() => setKeyword(''), CLEAR_MS)
  }

  return (
    <SearchBox
      ref={box}
      action={href('/search')}
      label={label}
      landmark={landmark}
      submit={submitText}
      onSubmit={submit}
      onKeyDown={(event) => moveThroughPanel(event, () => setOpen(false))}
      onBlur={(event) => hasLeft(event) && setOpen(false)}
      input={{
        id,
        name: 'keywords',
        value: keyword,
        maxLength: 200,
        'aria-expanded': isOpen,
        // While there is none, it would name what is not there.
        'aria-controls': isOpen ? panel : undefined,
        role: 'combobox',
        'aria-autocomplete': 'list',
        'aria-haspopup': 'dialog',
        onChange: (event) => {
          setKeyword(event.target.value)
          if (event.target.value !== '') setOpen(true)
        },
        onFocus: () => setOpen(true),
        onClick: () => setOpen(true),
      }}
    >
      {isOpen ? (
        <SearchPanel id={panel} role="dialog" aria-label={t('shell.searchPanel')}>
          {wanted === '' ? (
            <Suggestions onChosen={() => setOpen(false)} />
          ) : (
            <Results keyword={wanted} onChosen={() => setOpen(false)} />
          )}
        </SearchPanel>
      ) : null}
    </SearchBox>
  )
}

/** Arrow keys go through the links of the panel, Escape closes it and returns to the input. */
function moveThroughPanel(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const box = event.currentTarget
  const input = box.querySelector('input')
  if (event.key === 'Escape' && box.querySelector('[role=dialog]')) {
    // Otherwise the browser empties the input too.
    event.preventDefault()
    input?.focus()
    close()
    return
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [input, ...box.querySelectorAll<HTMLElement>('[role=dialog] a')].filter(
    (stop) => stop !== null,
  )
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  stops[(at + (event.key === 'ArrowDown' ? 1 : stops.length - 1)) % stops.length]?.focus()
}

/** The focus went on to something else; a press on nothing that takes it does not count. */
function hasLeft(event: FocusEvent<HTMLElement>): boolean {
  return event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)
}

function Suggestions({ onChosen }: { readonly onChosen: () => void }) {
  const t = useT()
  const href = useHref()
  const history = useStore(searchHistory)
  const hot = useHotGoods()
  return (
    <>
      {history.length === 0 ? null : (
        <SearchGroup
          title={t('shell.searchHistory')}
          action={
            <Button look="ghost" size="small" onClick={forgetSearches}>
              <Icon name="trash" />
              {t('shell.searchHistoryClear')}
            </Button>
          }
        >
          <ChipRow wrap>
            {history.map((entry) => (
              <ChipLink
                key={entry}
                href={href(`/search?keywords=${encodeURIComponent(entry)}`)}
                aria-label={entry}
                onClick={onChosen}
              >
                {chipLabel(entry)}
              </ChipLink>
            ))}
          </ChipRow>
        </SearchGroup>
      )}
      <SearchGroup title={t('shell.searchHot')}>
        {hot.isLoading ? <p role="status">{t('shell.loading')}</p> : null}
        <HotList
          items={hot.goods.map((card) => ({
            href: href(`/product/${card.code}`),
            text: card.goods_name,
            note: card.price?.text,
          }))}
        />
      </SearchGroup>
    </>
  )
}

function Results({
  keyword,
  onChosen,
}: {
  readonly keyword: string
  readonly onChosen: () => void
}) {
  const t = useT()
  const href = useHref()
  const { language } = useWords()
  const results = useLiveResults(keyword)
  const isFound = !results.isLoading && results.total > 0
  return (
    <>
      <HitCount quiet={isFound}>
        {results.isLoading ? t('shell.loading') : t('shell.searchCount', { count: results.total })}
      </HitCount>
      <SearchColumns>
        {results.groups.map((group) => (
          <SearchGroup
            key={group.type}
            title={group.title}
            action={<b className="num">{group.count}</b>}
          >
            {group.hits.map((hit) => (
              <Hit key={hit.path} hit={hit} keyword={keyword} onChosen={onChosen} />
            ))}
          </SearchGroup>
        ))}
      </SearchColumns>
      {isFound && results.empty.length > 0 ? (
        <p className={css.none}>
          {t('shell.searchNone', {
            kinds: new Intl.ListFormat(language, { type: 'disjunction' }).format(results.empty),
          })}
        </p>
      ) : null}
      {isFound ? (
        <SearchFoot>
          <a href={href(`/search?keywords=${encodeURIComponent(keyword)}`)} onClick={onChosen}>
            {t('shell.searchAll')} <b className="num">{results.total}</b>
            <Icon name="right" />
          </a>
        </SearchFoot>
      ) : null}
    </>
  )
}

/** As many regions as a hit shows; the rest stands on the page of the product. */
const REGIONS_SHOWN = 3

function Hit({
  hit,
  keyword,
  onChosen,
}: {
  readonly hit: LiveHit
  readonly keyword: string
  readonly onChosen: () => void
}) {
  const t = useT()
  const href = useHref()
  const { language } = useWords()
  const starsOf = (text: string) => ({ text, label: t('reviews.stars', { rating: text }) })
  const shown = hit.regions.slice(0, REGIONS_SHOWN)
  const more = hit.regions.length - shown.length
  return (
    <SearchHit
      href={href(hit.path)}
      image={hit.image}
      name={markMatch(hit.name, keyword)}
      note={
        hit.regions.length > 0 ? t('shell.searchRegions', { count: hit.regions.length }) : hit.note
      }
      rating={
        hit.rating === null
          ? undefined
          : starsOf(formatAverage(language as LanguageCode, hit.rating))
      }
      price={hit.price === undefined ? undefined : <bdi className="num">{hit.price}</bdi>}
      onClick={onChosen}
      regions={
        shown.length === 0 ? undefined : (
          <>
            {shown.map((region) => (
              <RegionLink key={region.path} href={href(region.path)} onClick={onChosen}>
                {region.name}
              </RegionLink>
            ))}
            {more === 0 ? null : (
              <RegionLink
                href={href(hit.path)}
                label={t('shell.searchMoreRegions', { count: more })}
                onClick={onChosen}
              >
                <bdi dir="ltr">+{more}</bdi>
              </RegionLink>
            )}
          </>
        )
      }
    />
  )
}

/** The name in three parts around the place that matches; whole when the match is not literal. */
function markMatch(name: string, keyword: string): string | readonly [string, string, string] {
  const at = name.toLocaleLowerCase().indexOf(keyword.toLocaleLowerCase())
  if (at < 0) return name
  return [name.slice(0, at), name.slice(at, at + keyword.length), name.slice(at + keyword.length)]
}
