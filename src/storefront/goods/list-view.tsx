import { ButtonLink } from '#ui/button.tsx'
import { Check } from '#ui/check.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Select, TextField } from '#ui/field.tsx'
import { FilterGroup, FilterLayout, Filters, ListToolbar } from '#ui/filters.tsx'
import { Pagination } from '#ui/pagination.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { useHref, useT } from '../i18n.tsx'
import { Crumbs } from './breadcrumbs.tsx'
import type { FilterOption, ListData } from './list-data.ts'
import css from './list.module.css'
import { GoodsTiles } from './tiles.tsx'

const FILTERS = 'filters'
/** Covers of the first row and a half: in sight at once on most screens. */
const EAGER = 5

/** A list of goods or games with its filters, HTML alone. All its state is in the address; every control works without script (`browser/forms.ts` presses the button). */
export function ListView({ data }: { readonly data: ListData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      <SectionHeader level={1} title={data.title} note={data.intro} />
      <div className="stack-l">
        {data.categories.length === 0 ? null : (
          <ChipRow role="navigation" aria-label={t('list.categories')}>
            {data.categories.map((category) => (
              <ChipLink key={category.path} href={href(category.path)} current={category.isCurrent}>
                {category.text}
              </ChipLink>
            ))}
          </ChipRow>
        )}
        <FilterLayout filters={<ListFilters data={data} />}>
          <ListToolbar
            filters={{
              target: FILTERS,
              label: t('list.filters'),
              count: data.filterCount ?? undefined,
            }}
            chips={data.chips.map((chip) => (
              <ChipLink key={chip.label} href={href(chip.path)} removeLabel={chip.label}>
                {chip.text}
              </ChipLink>
            ))}
            total={data.total}
            sort={<SortSelect data={data} />}
          />
          {data.tiles.length === 0 ? (
            <Empty level={2} title={t('list.emptyTitle')} text={t('list.emptyText')}>
              <ButtonLink look="solid" href={href(data.clear)}>
                {t('list.clearFilters')}
              </ButtonLink>
            </Empty>
          ) : (
            <GoodsTiles tiles={data.tiles} eager={EAGER} columns={5} label={t('list.results')} />
          )}
          <ListPages data={data} />
        </FilterLayout>
      </div>
    </div>
  )
}

function ListFilters({ data }: { readonly data: ListData }) {
  const t = useT()
  const href = useHref()
  return (
    <Filters
      id={FILTERS}
      title={t('list.filters')}
      closeLabel={t('list.closeFilters')}
      applyLabel={t('list.applyFilters')}
      action={href(data.form.action)}
      autoComplete="off"
    >
      {data.form.hidden.map(([name, value]) => (
        <input key={name + value} type="hidden" name={name} value={value} />
      ))}
      <OptionGroup name="platform" legend={t('list.platform')} options={data.platforms} />
      <OptionGroup
        name="region"
        legend={t('list.region')}
        options={data.regions}
        more={data.moreRegions}
      />
      {data.inStock === null ? null : (
        <FilterGroup legend={t('list.availability')}>
          <FilterCheck name="in_stock" value="1" text={t('list.inStock')} isOn={data.inStock} />
        </FilterGroup>
      )}
      {data.price === null ? null : (
        <FilterGroup legend={data.price.legend}>
          <div className="two">
            <PriceField name="price_min" label={t('list.from')} amount={data.price.min} />
            <PriceField name="price_max" label={t('list.to')} amount={data.price.max} />
          </div>
        </FilterGroup>
      )}
    </Filters>
  )
}

function OptionGroup({
  name,
  legend,
  options,
  more,
}: {
  readonly name: string
  readonly legend: string
  readonly options: readonly FilterOption[]
  readonly more?: ListData['moreRegions']
}) {
  if (options.length === 0) return null
  const check = (option: FilterOption) => (
    <FilterCheck
      key={option.code}
      name={name}
      value={option.code}
      text={option.text}
      count={option.count}
      isOn={option.isOn}
    />
  )
  return (
    <FilterGroup legend={legend}>
      <div>{options.map(check)}</div>
      {more ? (
        <details open={more.options.some((option) => option.isOn)}>
          <summary className={`link small ${css.more}`}>{more.text}</summary>
          {more.options.map(check)}
        </details>
      ) : null}
    </FilterGroup>
  )
}

function FilterCheck({
  name,
  value,
  text,
  count,
  isOn,
}: {
  readonly name: string
  readonly value: string
  readonly text: string
  readonly count?: string
  readonly isOn: boolean
}) {
  return (
    <Check name={name} value={value} defaultChecked={isOn} count={count}>
      {text}
    </Check>
  )
}

function PriceField({
  name,
  label,
  amount,
}: {
  readonly name: string
  readonly label: string
  readonly amount: string
}) {
  return (
    <TextField
      id={name}
      name={name}
      label={label}
      defaultValue={amount}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
    />
  )
}

function SortSelect({ data }: { readonly data: ListData }) {
  const t = useT()
  return (
    <Select
      compact
      name="sort"
      form={`${FILTERS}-form`}
      aria-label={t('list.sort')}
      defaultValue={data.sort}
    >
      {data.sorts.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </Select>
  )
}

function ListPages({ data }: { readonly data: ListData }) {
  const t = useT()
  const href = useHref()
  if (data.pages.length === 0) return null
  const step = (text: string, path: string | null) => ({
    text,
    href: path === null ? undefined : href(path),
  })
  return (
    <Pagination
      label={t('list.pages')}
      pages={data.pages.map((page) =>
        page === null
          ? null
          : { text: page.text, label: page.label, href: href(page.path), current: page.isCurrent },
      )}
      previous={step(t('list.previous'), data.previous)}
      next={step(t('list.next'), data.next)}
    />
  )
}
