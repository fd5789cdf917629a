import { Badge } from '#ui/badge.tsx'
import { Denomination, Denominations } from '#ui/denomination.tsx'
import { DetailHeader, DetailLayout, DetailLine } from '#ui/detail.tsx'
import { Step, Steps } from '#ui/panel.tsx'
import { Stars } from '#ui/rating.tsx'
import { SectionHeader } from '#ui/section.tsx'
import type { ReactNode } from 'react'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT } from '../i18n.tsx'
import { AccountStep } from './account-step.tsx'
import { CheckAndPay, FORM_ID, PayBar } from './check-and-pay.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { GoodToKnow, HowItWorks, Reviews } from './good-to-know.tsx'
import type { ProductData } from './load.ts'
import { RegionNotice, RegionStep } from './region-step.tsx'
import { useBuying, type Buying } from './use-buying.ts'

export function Page({ data }: { readonly data: ProductData }) {
  // Another product starts anew: its items are its own.
  return <Product key={data.code} data={data} />
}

function Product({ data }: { readonly data: ProductData }) {
  const buying = useBuying(data)
  const href = useHref()
  const isTopUp = data.fields.length > 0
  const hasRegions = data.regions.length > 1
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      <DetailLayout
        aside={<CheckAndPay data={data} buying={buying} />}
        rest={
          <>
            {isTopUp ? <HowItWorks data={data} /> : null}
            <GoodToKnow data={data} withHowTo={!isTopUp} />
            <Reviews data={data} />
          </>
        }
      >
        <Header data={data} />
        {/* The rules are ours to tell, in the page's language; without script nothing is sent. */}
        <Steps
          id={FORM_ID}
          ref={buying.form}
          action={href('/shop-cart')}
          noValidate
          onSubmit={buying.submit}
        >
          {hasRegions ? <RegionStep data={data} /> : null}
          <AmountStep data={data} buying={buying}>
            {hasRegions || isTopUp ? null : <RegionNotice data={data} />}
          </AmountStep>
          {isTopUp ? (
            <AccountStep fields={data.fields} buying={buying}>
              {hasRegions ? null : <RegionNotice data={data} />}
            </AccountStep>
          ) : null}
        </Steps>
      </DetailLayout>
      <Related data={data} />
      <PayBar data={data} buying={buying} />
    </div>
  )
}

function Header({ data }: { readonly data: ProductData }) {
  return (
    <DetailHeader
      cover={{ src: data.cover, width: 300, height: 400, alt: '', hanging: data.isHanging }}
      title={data.name}
      lang={data.lang}
      action={<FavouriteButton code={data.code} path={data.path} />}
    >
      {data.rating === null && data.sold === null ? null : (
        <DetailLine>
          {data.rating === null ? null : (
            <>
              <Stars average={data.rating.average} label={data.rating.starsLabel} />
              <b className="num">{data.rating.text}</b>
              <a className="link num" href="#reviews">
                {data.rating.count}
              </a>
            </>
          )}
          {data.sold === null ? null : <span>{data.sold}</span>}
        </DetailLine>
      )}
      <DetailLine>
        {data.badges.map((badge) => (
          <Badge key={badge.text} icon={badge.icon} tone={badge.tone}>
            {badge.text}
          </Badge>
        ))}
      </DetailLine>
    </DetailHeader>
  )
}

function AmountStep({
  data,
  buying,
  children,
}: {
  readonly data: ProductData
  readonly buying: Buying
  readonly children: ReactNode
}) {
  const t = useT()
  const title = t(`product.choose.${data.choice}`)
  return (
    <Step title={title}>
      <div className="stack">
        <Denominations label={title}>
          {data.items.map((item) => (
            <Denomination
              key={item.code}
              name="item"
              value={item.code}
              amount={item.label}
              note={item.bonus ?? undefined}
              price={item.price}
              was={item.was ?? undefined}
              soldOut={item.unavailable ?? undefined}
              checked={buying.item?.code === item.code}
              onChange={() => buying.choose(item.code)}
            />
          ))}
        </Denominations>
        {children}
      </div>
    </Step>
  )
}

function Related({ data }: { readonly data: ProductData }) {
  const t = useT()
  return data.related.length === 0 ? null : (
    <section>
      <SectionHeader title={t('product.related')} />
      <GoodsTiles tiles={data.related} columns={7} few={6} />
    </section>
  )
}
