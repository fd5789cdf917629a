import { useEffect } from 'react'
import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { PagePayload, ShellData } from '../page.ts'
import { Shell } from '../shell/shell.tsx'
import { online } from '../state/online.ts'
import { useStore } from '../state/store.ts'

/** Shown where a page failed to load or render in the browser: the frame of the shop, what happened, and a way on. */
export function Failure({ shell }: { readonly shell: ShellData }) {
  const error = useRouteError()
  const t = useT()
  const { pathname, search } = useLocation()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const title = t('title.failure')
  const payload: PagePayload = {
    page: 'failure',
    status,
    title,
    address: pathname + search,
    data: { status } satisfies FailureData,
  }
  useEffect(() => {
    document.title = title
  }, [title])
  return <Shell shell={shell} payload={payload} layout="default" Page={FailurePage} />
}

interface FailureData {
  readonly status: number
}

function FailurePage({ data }: { readonly data: FailureData }) {
  const t = useT()
  const href = useHref()
  const text = useStore(online)
    ? t('shell.failureStatus', { status: data.status })
    : t('shell.offline')
  return (
    <div className="wrap">
      <Empty level={1} title={t('title.failure')} text={text}>
        <ButtonLink look="solid" href={href('/')}>
          {t('shell.home')}
        </ButtonLink>
      </Empty>
    </div>
  )
}
