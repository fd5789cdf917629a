import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** The server could not make the page; its log says why. */
export function Page() {
  const t = useT()
  return (
    <div className="empty" role="alert">
      <h1>{t('console.failed.title')}</h1>
      <p>{t('console.failed.text')}</p>
      <a className="btn solid" href={CONSOLE_PATH}>
        {t('console.home.nav')}
      </a>
    </div>
  )
}
