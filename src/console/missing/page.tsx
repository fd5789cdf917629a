import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** Nothing of this address. */
export function Page() {
  const t = useT()
  return (
    <div className="empty">
      <h1>{t('console.missing.title')}</h1>
      <p>{t('console.missing.text')}</p>
      <a className="btn solid" href={CONSOLE_PATH}>
        {t('console.home.nav')}
      </a>
    </div>
  )
}
