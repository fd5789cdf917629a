import { Band } from '#ui/band.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ChipLink } from '#ui/chip.tsx'
import { Deal, DealGrid } from '#ui/deal.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Hero, Rack } from '#ui/hero.tsx'
import type { IconName } from '#ui/icon-paths.ts'
import { Kinds, type Kind } from '#ui/kinds.tsx'
import { IconList } from '#ui/list.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { Seen } from '../goods/seen.tsx'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT } from '../i18n.tsx'
import { COUNTRY, NUMBER } from '../recharge/fields.ts'
import { SearchIsland } from '../shell/live-search.tsx'
import { NUMBER_KEY } from '../state/typed-number.ts'
import { NewsTiles } from '../text/news-tiles.tsx'
import type { HomeData } from './load.ts'

export function Page({ data }: { readonly data: HomeData }) {
  return (
    <>
      <Opening data={data} />
      <div className="wrap">
        <KindStrip data={data} />
        <TopUps data={data} />
        {data.operators === null ? null : <RechargeBand data={data} />}
        <GiftCards data={data} />
        <Deals data={data} />
        <News data={data} />
        <Seen />
      </div>
    </>
  )
}

interface Part {
  readonly data: HomeData
}

function Opening({ data }: Part) {
  const t = useT()
  const href = useHref()
  const from = t('goods.from')
  const facts: { icon: IconName; text: string }[] = [
    ...(data.facts.delivery === null ? [] : [{ icon: 'bolt' as const, text: data.facts.delivery }]),
    ...(data.facts.currencies === null
      ? []
      : [{ icon: 'wallet' as const, text: data.facts.currencies }]),
    ...(data.facts.support === null ? [] : [{ icon: 'chat' as const, text: data.facts.support }]),
  ]
  return (
    <Hero
      title={
        data.topUps.length > 0 && data.giftCards.length > 0
          ? [t('home.claimTopUps'), t('home.claimGiftCards')]
          : t('home.claim')
      }
      lead={t('home.lead')}
      search={
        <SearchIsland
          id="home-search"
          label={t('home.searchLabel')}
          landmark={t('home.searchLabel')}
          submit={t('home.searchSubmit')}
        />
      }
      actions={
        <>
          <ButtonLink look="solid" size="large" href={href('/top-up')}>
            {t('home.topUpGame')}
          </ButtonLink>
          <ButtonLink size="large" href={href('/cards')}>
            {t('home.browseCards')}
          </ButtonLink>
        </>
      }
      hot={
        data.hot.length === 0
          ? undefined
          : {
              label: t('home.hot'),
              chips: data.hot.map((link) => (
                <ChipLink key={link.path} href={href(link.path)} lang={link.lang}>
                  {link.text}
                </ChipLink>
              )),
            }
      }
      facts={facts.length === 0 ? undefined : <IconList inline items={facts} />}
    >
      <Rack
        cards={data.rack.map((card) => ({
          href: href(card.path),
          image: { src: card.image, width: 240, height: 320 },
          from,
          price: card.price,
        }))}
      />
    </Hero>
  )
}

function KindStrip({ data }: Part) {
  const t = useT()
  const href = useHref()
  const items: Kind[] = [
    {
      art: 'poster',
      href: href('/top-up'),
      title: t('home.kindTopUp'),
      note: t('home.kindTopUpNote'),
    },
    {
      art: 'card',
      href: href('/cards'),
      title: t('home.kindGiftCards'),
      note: t('home.kindGiftCardsNote'),
    },
  ]
  if (data.gameCards !== null)
    items.push({
      art: 'scratch',
      href: href(data.gameCards),
      title: t('home.kindGameCards'),
      note: t('home.kindGameCardsNote'),
    })
  if (data.operators !== null) {
    items.push(
      {
        art: 'sim',
        href: href('/mobile-recharge/airtime'),
        title: t('home.kindRecharge'),
        note: data.operators,
      },
      {
        art: 'signal',
        href: href('/mobile-recharge/data-packets'),
        title: t('home.kindData'),
        note: t('home.kindDataNote'),
      },
    )
  }
  return (
    <Section tight>
      <Kinds label={t('home.kinds')} items={items} />
    </Section>
  )
}

function TopUps({ data }: Part) {
  const t = useT()
  const href = useHref()
  if (data.topUps.length === 0) return null
  return (
    <Section className="below">
      <SectionHeader
        title={t('home.hotTopUps')}
        note={t('home.hotTopUpsNote')}
        more={{ href: href('/top-up'), text: t('goods.seeAll'), id: 'top-ups' }}
      />
      <GoodsTiles tiles={data.topUps} columns={7} few={9} />
    </Section>
  )
}

function RechargeBand({ data }: Part) {
  const t = useT()
  const href = useHref()
  return (
    <Section className="below">
      <Band
        title={t('home.rechargeTitle')}
        text={t('home.rechargeText')}
        method="post"
        action={href('/recharge?list=airtime')}
        data-ask={href('/mobile-recharge/airtime?country=')}
      >
        <input type="hidden" name={FORM_FIELD} value="detect" />
        <SelectField
          id="recharge-country"
          name={COUNTRY}
          label={t('home.rechargeCountry')}
          required
          defaultValue=""
          autoComplete="off"
        >
          <option value="">{t('home.rechargeChoose')}</option>
          {data.countries.map((country) => (
            <option key={country.code} value={country.code}>
              {country.dialCode === ''
                ? country.name
                : t('home.rechargeCountryOption', {
                    country: country.name,
                    code: country.dialCode,
                  })}
            </option>
          ))}
        </SelectField>
        <TextField
          id="recharge-number"
          name={NUMBER}
          label={t('home.rechargeNumber')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          maxLength={30}
          data-keep={NUMBER_KEY}
        />
        <Button look="pay" type="submit">
          {t('home.rechargeSubmit')}
        </Button>
      </Band>
    </Section>
  )
}

function GiftCards({ data }: Part) {
  const t = useT()
  const href = useHref()
  if (data.giftCards.length === 0) return null
  return (
    <Section className="below">
      <SectionHeader
        title={t('home.giftCards')}
        note={t('home.giftCardsNote')}
        more={{ href: href('/cards'), text: t('goods.seeAll'), id: 'gift-cards' }}
      />
      <GoodsTiles tiles={data.giftCards} columns={7} few={9} rail />
    </Section>
  )
}

function Deals({ data }: Part) {
  const t = useT()
  const href = useHref()
  if (data.deals.length === 0) return null
  return (
    <Section className="below">
      <SectionHeader title={t('home.deals')} note={t('home.dealsNote')} />
      <DealGrid>
        {data.deals.map((deal) => (
          <Deal
            key={deal.path}
            href={href(deal.path)}
            image={{ src: deal.image, width: 360, height: 360 }}
            name={deal.name}
            price={deal.price}
            discount={deal.discount}
            was={deal.was}
          />
        ))}
      </DealGrid>
    </Section>
  )
}

function News({ data }: Part) {
  const t = useT()
  const href = useHref()
  if (data.news.length === 0) return null
  return (
    <Section className="below">
      <SectionHeader
        title={t('home.news')}
        more={{ href: href('/news'), text: t('goods.seeAll'), id: 'news' }}
      />
      <NewsTiles tiles={data.news} />
    </Section>
  )
}
