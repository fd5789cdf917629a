import { Icon } from '#ui/icon.tsx'
import { State } from '../kit/state.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { MethodData } from './load.ts'
import { TermsForm } from './terms-form.tsx'

/** One way to pay: what it costs, from which amount to which, and where it is offered. */
export function Page({ data }: { readonly data: MethodData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/money?view=methods`}>
            <Icon name="left" />
            {t('console.money.view.methods')}
          </a>
          <h1 className="row wrapx">
            {data.name}
            <State look={data.look} text={data.state} />
          </h1>
          <p>
            {data.texts.fee} · {data.texts.limits} · {data.texts.where}
          </p>
        </div>
        <div className="acts">
          <a className="btn edge" href={`${CONSOLE_PATH}/money/providers/${data.provider}`}>
            {t('console.money.provider')} <bdi>{data.providerName}</bdi>
          </a>
        </div>
      </div>
      {data.waits && (
        <p className="note warn">
          {t('console.service.waitsAlready')}{' '}
          <a className="link" href={`${CONSOLE_PATH}/approvals`}>
            {t('console.approvals.nav')}
          </a>
        </p>
      )}
      {data.mayChange ? (
        <TermsForm data={data} />
      ) : (
        <p className="hint">{t('console.service.notYours')}</p>
      )}
    </>
  )
}
