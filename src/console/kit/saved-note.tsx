import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** What became of a change: it holds, or waits for a second person. Nothing before anything became of it. */
export function SavedNote({ outcome }: { readonly outcome: 'saved' | 'waits' | null }) {
  const t = useT()
  return (
    <p role="status" className={outcome === null ? 'sr' : 'note ok'}>
      {outcome === 'saved' && t('console.settings.saved')}
      {outcome === 'waits' && (
        <>
          {t('console.method.asked')}{' '}
          <a className="link" href={`${CONSOLE_PATH}/approvals`}>
            {t('console.approvals.nav')}
          </a>
        </>
      )}
    </p>
  )
}
