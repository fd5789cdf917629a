import { isRouteErrorResponse, useRouteError } from 'react-router'
import { useHref, useT } from '../i18n.tsx'

/** Shown where a page failed to load or render in the browser: what happened, and a way on. */
export function Failure() {
  const error = useRouteError()
  const t = useT()
  const href = useHref()
  const status = isRouteErrorResponse(error) ? error.status : 500
  return (
    <main id="main">
      <h1>{t('title.failure')}</h1>
      <p>{t('shell.failureStatus', { status })}</p>
      <a href={href('/')}>{t('shell.home')}</a>
    </main>
  )
}
