import { Accordion } from '#ui/accordion.tsx'
import { AddressText } from '#ui/address-text.tsx'
import { HowTo } from '#ui/list.tsx'
import { Panel } from '#ui/panel.tsx'
import { More } from '#ui/section.tsx'
import { SummaryList, type SummaryRow } from '#ui/summary.tsx'
import { useHref, useT, type Words } from '../i18n.tsx'
import { GradeLinks, Ratings, ReviewList } from '../reviews/review-list.tsx'
import type { ProductData } from './load.ts'

/** How a top-up goes, step by step. */
export function HowItWorks({ data }: { readonly data: ProductData }) {
  const t = useT()
  return data.howTo.steps.length === 0 ? null : (
    <Panel className="below" title={t('product.howItWorks')}>
      <HowTo steps={data.howTo.steps} />
    </Panel>
  )
}

/** What the goods are and how a code is used. */
export function GoodToKnow({
  data,
  withHowTo,
}: {
  readonly data: ProductData
  readonly withHowTo: boolean
}) {
  const t = useT()
  const { howTo, facts } = data
  return (
    <Panel className="below" title={t('product.goodToKnow')}>
      {withHowTo && howTo.steps.length > 0 ? (
        <Accordion title={t('product.howToRedeem')} open>
          <div className="stack">
            {howTo.at === null ? null : (
              <p>
                {t('product.redeemAt')} <AddressText className="strong">{howTo.at}</AddressText>
              </p>
            )}
            <HowTo steps={howTo.steps} />
          </div>
        </Accordion>
      ) : null}
      {facts.keyFormat === null ? null : (
        <Accordion title={t('product.inTheOrder')}>
          <div className="stack">
            <p>{t('product.oneCodeEach')}</p>
            <SummaryList
              rows={rowsOf([
                [t('product.fact.format'), facts.keyFormat],
                [t('product.fact.validity'), facts.validity],
              ])}
            />
          </div>
        </Accordion>
      )}
      {facts.countries === null ? null : (
        <Accordion title={t('product.whereItWorks')}>
          <p>{facts.countries}</p>
        </Accordion>
      )}
      <Accordion title={t('product.aboutTitle')} open={!withHowTo}>
        <div className="stack">
          <p>{data.about}</p>
          <SummaryList rows={factRows(data, t)} />
          <GameLink data={data} />
        </div>
      </Accordion>
    </Panel>
  )
}

function GameLink({ data }: { readonly data: ProductData }) {
  const t = useT()
  const href = useHref()
  const { game } = data.facts
  return game === null ? null : (
    <p>
      <a className="link" href={href(game.path)}>
        {t('product.allOfGame', { game: game.name })}
      </a>
    </p>
  )
}

function factRows({ facts }: ProductData, t: Words['t']): SummaryRow[] {
  return rowsOf([
    [t('product.fact.publisher'), facts.publisher],
    [t('product.fact.category'), facts.categories],
    [t('product.fact.platform'), facts.platforms],
    [
      t(
        facts.game !== null && facts.keyFormat === null
          ? 'product.fact.gameReleased'
          : 'product.fact.released',
      ),
      facts.released,
    ],
    [t('product.fact.stock'), facts.stock],
    [t('product.fact.sold'), facts.sold],
  ])
}

function rowsOf(facts: readonly (readonly [label: string, value: string | null])[]): SummaryRow[] {
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

/** Ratings of the brand and its newest reviews. */
export function Reviews({ data }: { readonly data: ProductData }) {
  const t = useT()
  const href = useHref()
  const path = `/reviews/${data.brand}`
  if (data.rating === null) return null
  return (
    <Panel
      id="reviews"
      className="below"
      title={t('product.reviewsTitle')}
      aside={<GradeLinks rating={data.rating} path={path} />}
    >
      <div className="stack">
        <Ratings rating={data.rating} />
        <div>
          <ReviewList reviews={data.reviews} />
        </div>
        <More href={href(path)} text={t('product.allReviews')} />
      </div>
    </Panel>
  )
}
