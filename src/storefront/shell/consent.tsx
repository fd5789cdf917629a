import { CookieBanner } from '#ui/notice.tsx'
import { useT } from '../i18n.tsx'
import css from './shell.module.css'

/**
 * Asks once whether analytics and chat may load. Shown by the boot script where no choice is kept, which also keeps the
 * answer, so that it works before the application is alive; without script nothing of another host ever loads.
 */
export function ConsentBanner() {
  const t = useT()
  return (
    <div className={css.consent}>
      <CookieBanner
        label={t('shell.consentLabel')}
        text={t('shell.consentText')}
        name="consent"
        refuseText={t('shell.consentRefuse')}
        acceptText={t('shell.consentAccept')}
        data-consent-form=""
      />
    </div>
  )
}
