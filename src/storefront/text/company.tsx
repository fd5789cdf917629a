import type { ReactNode } from 'react'
import { AddressText } from '#ui/address-text.tsx'
import { Panel } from '#ui/panel.tsx'
import { Section } from '#ui/section.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './company.module.css'
import type { Company } from './contact-data.ts'

/** Who runs the shop, as its operator has said; `withContact`: and how to reach them, where the page has not said it yet. */
export function CompanyPanel({
  company,
  withContact = false,
  children,
}: {
  readonly company: Company
  readonly withContact?: boolean
  /** Further links. */
  readonly children?: ReactNode
}) {
  const t = useT()
  const href = useHref()
  return (
    <Panel minor title={t('api.footerCompany')} className={css.company}>
      <address>
        {company.name === '' ? null : (
          <b>
            <bdi>{company.name}</bdi>
          </b>
        )}
        {company.address === '' ? null : <bdi>{company.address}</bdi>}
        {withContact ? (
          <a className="link" href={`mailto:${company.mail}`}>
            <AddressText>{company.mail}</AddressText>
          </a>
        ) : null}
      </address>
      {withContact && company.hours !== null ? (
        <p className="small muted">{company.hours}</p>
      ) : null}
      <p className="row small">
        <a className="link" href={href('/article/legal-provisions')}>
          {t('api.footerLegalProvisions')}
        </a>
        {children}
      </p>
    </Panel>
  )
}

/** The operator's own words with the panel of who they are: beside them on a wide screen, below them elsewhere. */
export function CompanySection({
  panel,
  children,
}: {
  readonly panel: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Section className={css.section}>
      <div>{children}</div>
      {panel}
    </Section>
  )
}

export function PartnershipLink() {
  const t = useT()
  const href = useHref()
  return (
    <a className="link" href={href('/partnership')}>
      {t('api.footerPartnership')}
    </a>
  )
}
