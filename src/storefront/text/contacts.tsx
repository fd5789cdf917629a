import type { ReactNode } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { IconName } from '#ui/icon-paths.ts'
import { Panel } from '#ui/panel.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './contacts.module.css'

export interface ContactsData {
  readonly mail: string
  /** When somebody is there; null where the shop does not say. */
  readonly hours: string | null
}

/** The ways to reach the shop that there are, with its hours (specification §9). */
export function Contacts({ mail, hours }: ContactsData) {
  const t = useT()
  const href = useHref()
  return (
    <div className={css.contacts}>
      <Contact icon="mail" title={t('content.mailTitle')} text={t('content.mailText')}>
        {hours === null ? null : <p className="muted small">{hours}</p>}
        <ButtonLink href={`mailto:${mail}`}>
          <bdi dir="ltr" className={css.mail}>
            {mail}
          </bdi>
        </ButtonLink>
      </Contact>
      <Contact icon="flag" title={t('content.feedbackTitle')} text={t('content.feedbackText')}>
        <ButtonLink href={href('/feedback')}>{t('content.feedbackSend')}</ButtonLink>
      </Contact>
    </div>
  )
}

function Contact({
  icon,
  title,
  text,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}) {
  return (
    <Panel className={css.contact}>
      <Icon name={icon} />
      <h2>{title}</h2>
      <p className="muted small">{text}</p>
      {children}
    </Panel>
  )
}
