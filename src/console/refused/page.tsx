import { permissionName } from '../kit/permission-name.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** The operator's role does not allow what the page shows. */
export function Page({ data }: { readonly data: { readonly permission: string } }) {
  const t = useT()
  return (
    <div className="empty">
      <h1>{t('console.refused.title')}</h1>
      <p>
        {t('console.refused.text')} <b>{permissionName(t, data.permission)}</b>{' '}
        <bdi className="mono">{data.permission}</bdi>
      </p>
      <a className="btn solid" href={CONSOLE_PATH}>
        {t('console.home.nav')}
      </a>
    </div>
  )
}
