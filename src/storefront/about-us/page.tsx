import { ButtonLink } from '#ui/button.tsx'
import { Figures } from '#ui/figures.tsx'
import type { IconName } from '#ui/icon-paths.ts'
import { Opening } from '#ui/opening.tsx'
import { RackScene } from '#ui/scene.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { Way, Ways } from '#ui/ways.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { CompanyPanel, CompanySection, PartnershipLink } from '../text/company.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import css from './about-us.module.css'
import type { AboutData } from './load.ts'

/** True of every shop of this program. */
const PROMISES = [
  { icon: 'clock', title: 'content.timesTitle', text: 'content.timesText' },
  { icon: 'refresh', title: 'content.moneyTitle', text: 'content.moneyText' },
  { icon: 'lock', title: 'content.codesTitle', text: 'content.codesText' },
  { icon: 'receipt', title: 'content.feesTitle', text: 'content.feesText' },
] as const satisfies readonly { readonly icon: IconName; title: string; text: string }[]

export function Page({ data }: { readonly data: AboutData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <Opening
        title={data.title}
        lead={data.lead ?? undefined}
        lang={data.lang}
        actions={
          <>
            <ButtonLink look="solid" href={href('/contact-us')}>
              {t('api.footerContact')}
            </ButtonLink>
            <ButtonLink href={href('/reviews')}>{t('title.reviews')}</ButtonLink>
          </>
        }
        scene={<RackScene signs={['key', 'card', 'phone', 'bolt']} main={3} priced />}
      >
        <EnglishOnly lang={data.lang} />
      </Opening>
      <div className={css.figures}>
        <Figures items={data.figures} />
      </div>
      <Section>
        <SectionHeader title={t('content.countOn')} />
        <Ways>
          {PROMISES.map(({ icon, title, text }) => (
            <Way key={icon} icon={icon} level={3} title={t(title)} text={t(text)} />
          ))}
        </Ways>
      </Section>
      <CompanySection
        panel={
          <CompanyPanel company={data.company} withContact>
            <PartnershipLink />
          </CompanyPanel>
        }
      >
        <TextSections sections={data.sections} lang={data.lang} />
      </CompanySection>
    </div>
  )
}
