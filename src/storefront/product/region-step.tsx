import { Accordion } from '#ui/accordion.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { Note } from '#ui/note.tsx'
import { Step } from '#ui/panel.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { RegionLink } from './choices.ts'
import type { ProductData } from './load.ts'

/** As many as fit in sight; the others unfold. */
const IN_SIGHT = 8

/** The same brand for other regions, each a page of its own; the region comes before the value. */
export function RegionStep({ data }: { readonly data: ProductData }) {
  const t = useT()
  const { first, rest } = splitRegions(data.regions)
  return (
    <Step title={t('product.chooseRegion')}>
      <div className="stack">
        <RegionChips regions={first} />
        {rest.length === 0 ? null : (
          <Accordion title={t('product.moreRegions', { count: rest.length })}>
            <RegionChips regions={rest} />
          </Accordion>
        )}
        <RegionNotice data={data} />
      </div>
    </Step>
  )
}

/** Where the goods work, in the visitor's language. */
export function RegionNotice({ data }: { readonly data: ProductData }) {
  return data.notice === null ? null : (
    <Note tone="warn" lead={data.notice.lead}>
      {data.notice.text}
    </Note>
  )
}

function RegionChips({ regions }: { readonly regions: readonly RegionLink[] }) {
  const href = useHref()
  return (
    <ChipRow wrap>
      {regions.map((region) => (
        <ChipLink key={region.path} href={href(region.path)} current={region.isCurrent}>
          {region.text}
        </ChipLink>
      ))}
    </ChipRow>
  )
}

/** The first few, always with the page's own among them. */
function splitRegions(regions: readonly RegionLink[]): {
  first: readonly RegionLink[]
  rest: readonly RegionLink[]
} {
  if (regions.length <= IN_SIGHT + 1) return { first: regions, rest: [] }
  const isFirst = (region: RegionLink, index: number) => region.isCurrent || index < IN_SIGHT
  return {
    first: regions.filter(isFirst),
    rest: regions.filter((region, index) => !isFirst(region, index)),
  }
}
