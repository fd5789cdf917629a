import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** Leads to the pages of a list beside this one; nothing where there are none. Addresses are below /console. */
export function Pager({
  newer = null,
  older = null,
  previous = null,
  next = null,
}: {
  readonly newer?: string | null
  readonly older?: string | null
  /** Of a list that is not in the order of time. */
  readonly previous?: string | null
  readonly next?: string | null
}) {
  const t = useT()
  if ([newer, older, previous, next].every((address) => address === null)) return null
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
        {previous !== null && (
          <a className="btn edge sm" href={CONSOLE_PATH + previous}>
            <Icon name="left" />
            {t('console.previousPage')}
          </a>
        )}
        {next !== null && (
          <a className="btn edge sm" href={CONSOLE_PATH + next}>
            {t('console.nextPage')}
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  )
}
