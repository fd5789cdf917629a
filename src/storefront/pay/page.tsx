import { Button, ButtonLink } from '#ui/button.tsx'
import { CopyLine } from '#ui/copy.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconList } from '#ui/list.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { SummaryList } from '#ui/summary.tsx'
import { Countdown } from '../cashier/countdown.tsx'
import type { MethodChoice } from '../cashier/load.ts'
import { methodForm, Methods, OfChosen } from '../cashier/methods.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { PayData } from './load.ts'
import css from './pay.module.css'
import { useWatching } from './watching.ts'

/** A payment under way: what is to be done, and what is known. */
export function Page({ data }: { readonly data: PayData }) {
  const t = useT()
  useWatching(data.order, data.known)
  return (
    <div className={`wrap ${css.page}`}>
      <div className={`row between ${css.head}`}>
        <div>
          <p className="small muted">
            {t('cashier.orderNumber')} <bdi className="mono">{data.number}</bdi>
          </p>
          <h1>{data.title}</h1>
        </div>
        {data.held === null || data.held.seconds === null ? null : (
          <Countdown label={t('cashier.timeLeft')} seconds={data.held.seconds} />
        )}
      </div>
      <Panel>
        <div className="stack-l">
          <Word data={data} />
          {data.transferNotes.map((note) => (
            <Note key={note} tone="warn">
              {note}
            </Note>
          ))}
          {data.transfer.map((line) => (
            <div key={`${line.label} ${line.value}`} className="stack-s">
              <p className={css.label}>{line.label}</p>
              <CopyLine
                text={line.value}
                texts={{ copy: t('cashier.copy'), copied: t('cashier.copied') }}
              />
            </div>
          ))}
          <Facts data={data} />
          {data.held === null ? null : (
            <IconList items={[{ icon: 'clock', text: data.held.text }]} />
          )}
          {data.choice === null ? <Ways data={data} /> : null}
        </div>
      </Panel>
      {data.choice === null ? null : <OtherWays data={data} choice={data.choice} />}
      {data.canCancel ? <Cancel data={data} /> : null}
    </div>
  )
}

function Word({ data }: { readonly data: PayData }) {
  if (data.step === 'failed')
    return (
      <Note tone="bad" role="status" lead={data.money ?? undefined}>
        {data.text}
      </Note>
    )
  return (
    <p className={css.word} role="status">
      {data.text}
    </p>
  )
}

function Facts({ data }: { readonly data: PayData }) {
  const t = useT()
  return (
    <SummaryList
      rows={[
        ...(data.method === null ? [] : [{ label: t('cashier.method'), value: data.method.name }]),
        { label: t('cashier.state'), value: data.state },
      ]}
      total={
        data.step === 'transfer' || data.step === 'rest'
          ? undefined
          : { label: t('cashier.amount'), value: data.amount }
      }
    />
  )
}

/** What can be done now; the first leads. */
function Ways({ data }: { readonly data: PayData }) {
  const t = useT()
  const href = useHref()
  const cashier = href(`/order/cashier?order=${data.order}`)
  const here = href(`/order/pay?order=${data.order}`)
  return (
    <div className={`row ${css.ways}`}>
      {data.onward === null ? null : (
        <ButtonLink look="pay" href={data.onward}>
          <Icon name="lock" />
          {t('cashier.continue')}
        </ButtonLink>
      )}
      {data.step === 'unpaid' ? (
        <ButtonLink look="pay" href={cashier}>
          {t('cashier.chooseMethod')}
        </ButtonLink>
      ) : (
        <ButtonLink href={here}>
          <Icon name="refresh" />
          {t('cashier.checkAgain')}
        </ButtonLink>
      )}
      {data.step === 'unpaid' || data.held === null ? null : (
        <ButtonLink look="ghost" href={cashier}>
          {t('cashier.otherMethod')}
        </ButtonLink>
      )}
    </div>
  )
}

/** What may go better, the same method once more among them. */
function OtherWays({ data, choice }: { readonly data: PayData; readonly choice: MethodChoice }) {
  const t = useT()
  return (
    <Panel title={t('cashier.otherMethod')}>
      <CallForm name="again" form={forms.again} className={`stack ${methodForm}`}>
        {(view) => (
          <>
            <input type="hidden" name="order" value={data.order} />
            {view.outcome?.message && Object.keys(view.outcome.faults).length === 0 ? (
              <Note tone="bad" role="alert">
                {view.outcome.message}
              </Note>
            ) : null}
            <Methods choice={choice} view={view} />
            <Button type="submit" look="pay" size="large" block busy={view.busy}>
              <Icon name="lock" />
              <OfChosen choice={choice}>
                {(method) => t('cashier.pay', { amount: method.total })}
              </OfChosen>
            </Button>
          </>
        )}
      </CallForm>
    </Panel>
  )
}

function Cancel({ data }: { readonly data: PayData }) {
  const t = useT()
  return (
    <CallForm name="cancel" form={forms.cancel} className={css.cancel}>
      {(view) => (
        <>
          <input type="hidden" name="order" value={data.order} />
          {view.outcome?.message ? (
            <Note tone="bad" role="alert">
              {view.outcome.message}
            </Note>
          ) : null}
          <Button type="submit" look="ghost" size="small" busy={view.busy}>
            {t('cashier.cancel')}
          </Button>
        </>
      )}
    </CallForm>
  )
}
