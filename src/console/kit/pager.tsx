import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** Leads to the pages of a list beside this one; nothing where there are none. Addresses are below /console. */
export function Pager({
  newer = null,
  older,
}: {
  readonly newer?: string | null
  readonly older: string | null
}) {
  const t = useT()
  if (newer === null && older === null) return null
  return (
    <nav className="foot-l" aria-label={t('console.pages')}>
      <span className="row">
        {newer !== null && (
          <a className="btn edge sm" href={CONSOLE_PATH + newer}>
            <Icon name="left" />
            {t('console.newer')}
          </a>
        )}
        {older !== null && (
          <a className="btn edge sm" href={CONSOLE_PATH + older}>
            {t('console.older')}
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  )
}
