import { AddressText } from '#ui/address-text.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Way, Ways } from '#ui/ways.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './contacts.module.css'

export interface ContactsData {
  readonly mail: string
  /** When somebody is there; null where the shop does not say. */
  readonly hours: string | null
}

/** Under an answer: whom to write to when it was none. */
export function Contacts({ mail, hours }: ContactsData) {
  const t = useT()
  return (
    <Ways>
      <Way
        icon="mail"
        title={t('content.mailTitle')}
        text={hours === null ? t('content.mailText') : `${t('content.mailText')} ${hours}`}
      >
        <ButtonLink href={`mailto:${mail}`}>
          <AddressText className={css.mail}>{mail}</AddressText>
        </ButtonLink>
      </Way>
      <AboutOrder level={2} />
      <Feedback mail={mail} level={2} />
    </Ways>
  )
}

/** Beside writing an e-mail: what is quicker for an order, for a question, and for what the shop should do better. */
export function OtherWays({ mail, level }: { readonly mail: string; readonly level: 2 | 3 }) {
  const t = useT()
  const href = useHref()
  return (
    <Ways>
      <AboutOrder level={level} />
      <Way icon="info" level={level} title={t('api.footerSupport')} text={t('content.helpText')}>
        <ButtonLink href={href('/support')}>{t('content.toSupport')}</ButtonLink>
      </Way>
      <Feedback mail={mail} level={level} />
    </Ways>
  )
}

function AboutOrder({ level }: { readonly level: 2 | 3 }) {
  const t = useT()
  const href = useHref()
  return (
    <Way icon="receipt" level={level} title={t('content.orderTitle')} text={t('content.orderText')}>
      <ButtonLink href={href('/user/order')}>{t('content.toOrders')}</ButtonLink>
    </Way>
  )
}

function Feedback({ mail, level }: { readonly mail: string; readonly level: 2 | 3 }) {
  const t = useT()
  const subject = encodeURIComponent(t('content.feedbackTitle'))
  return (
    <Way
      icon="pencil"
      level={level}
      title={t('content.feedbackTitle')}
      text={t('content.feedbackText')}
    >
      <ButtonLink href={`mailto:${mail}?subject=${subject}`}>
        {t('content.feedbackSend')}
      </ButtonLink>
    </Way>
  )
}
