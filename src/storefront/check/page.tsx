import { useState } from 'react'
import type { ApiPosts } from '#api/contract.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Panel } from '#ui/panel.tsx'
import { RackScene } from '#ui/scene.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { CheckData } from './load.ts'
import css from './check.module.css'

type Progress = ApiPosts['order/check']['data']

/** `/check`: how far an order is, for who has its number. */
export function Page({ data }: { readonly data: CheckData }) {
  const t = useT()
  const [found, setFound] = useState<Progress | null>(data.found)
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={[{ text: data.title }]} />
      <div className={css.head}>
        <h1>{data.title}</h1>
        <p className="muted">{t('order.checkIntro')}</p>
      </div>
      <div className={css.columns}>
        {found === null ? null : <Found progress={found} isSignedIn={data.isSignedIn} />}
        <Panel title={found === null ? undefined : t('order.checkAnother')}>
          <CallForm
            name="check"
            form={forms.check}
            className="stack"
            onDone={(answer) => setFound(answer as Progress)}
            onRefused={() => setFound(null)}
          >
            {(view) => (
              <>
                <Refusal view={view} />
                <TextField
                  id="order_no"
                  label={t('order.number')}
                  hint={t('order.checkHint')}
                  required
                  inputMode="numeric"
                  autoComplete="off"
                  dir="ltr"
                  {...view.field('order_no')}
                />
                <TextField
                  id="email"
                  label={t('order.checkEmail')}
                  required
                  type="email"
                  autoComplete="email"
                  {...view.field('email')}
                />
                <Button type="submit" look="solid" size="large" block busy={view.busy}>
                  {t('order.checkSend')}
                </Button>
              </>
            )}
          </CallForm>
        </Panel>
        {found === null ? <RackScene signs={['receipt', 'clock', 'check']} main={2} /> : null}
      </div>
    </div>
  )
}

function Found({
  progress,
  isSignedIn,
}: {
  readonly progress: Progress
  readonly isSignedIn: boolean
}) {
  const t = useT()
  const href = useHref()
  // That a payment was begun says nothing once it has ended.
  const told = progress.events.filter(
    ({ kind }, index, { length }) => kind !== 'payment_started' || index === length - 1,
  )
  return (
    <Panel
      title={t('order.title', { number: progress.order_no })}
      className="stack"
      role="status"
      aside={<Badge tone={progress.tone ?? undefined}>{progress.status_text}</Badge>}
    >
      <p className="small muted">{progress.created_at_text}</p>
      <Timeline
        label={t('order.history')}
        badLabel={t('order.stepFailed')}
        steps={told.map((event) => ({
          text: event.text,
          tone: event.tone,
          time: { iso: event.at, text: event.at_text },
        }))}
      />
      {isSignedIn ? null : <p className="small muted">{t('order.checkMore')}</p>}
      <div>
        <ButtonLink look="solid" href={href('/user/order')}>
          {t(isSignedIn ? 'order.orders' : 'order.checkSignIn')}
        </ButtonLink>
      </div>
    </Panel>
  )
}
