import { AddressText } from '#ui/address-text.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Opening } from '#ui/opening.tsx'
import { RackScene } from '#ui/scene.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useT } from '../i18n.tsx'
import { CompanyPanel, CompanySection, PartnershipLink } from '../text/company.tsx'
import { OtherWays } from '../text/contacts.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import css from './contact-us.module.css'
import type { ContactData } from './load.ts'

export function Page({ data }: { readonly data: ContactData }) {
  const t = useT()
  const { mail, hours } = data.company
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <Opening
        title={data.title}
        lead={t('content.mailText')}
        actions={
          <ButtonLink look="solid" size="large" href={`mailto:${mail}`}>
            <Icon name="mail" />
            <AddressText className={css.mail}>{mail}</AddressText>
          </ButtonLink>
        }
        scene={<RackScene signs={['receipt', 'mail', 'pencil']} main={1} />}
      >
        {hours === null ? null : (
          <p className={`small muted ${css.hours}`}>
            <Icon name="clock" />
            {hours}
          </p>
        )}
      </Opening>
      <Section>
        <SectionHeader title={t('content.otherWays')} />
        <OtherWays mail={mail} level={3} />
      </Section>
      <CompanySection
        panel={
          <CompanyPanel company={data.company}>
            <PartnershipLink />
          </CompanyPanel>
        }
      >
        <EnglishOnly lang={data.sections.length === 0 ? undefined : data.lang} />
        <TextSections sections={data.sections} lang={data.lang} />
      </CompanySection>
    </div>
  )
}
