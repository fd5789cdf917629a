import { useT } from '../words.tsx'
import { fromStep } from './paths.ts'

/** Their own sign-in, and whoever could let them in. */
export function OwnerStep() {
  const t = useT()
  return (
    <div className="row wrapx">
      <a className="btn edge" href={fromStep('owner', '/me')}>
        {t('console.me.title')}
      </a>
      <a className="btn edge" href={fromStep('owner', '/people')}>
        {t('console.people.nav')}
      </a>
    </div>
  )
}
