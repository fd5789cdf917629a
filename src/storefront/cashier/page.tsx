import { Button, ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconList } from '#ui/list.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { MobileBarFrame, SummaryList } from '#ui/summary.tsx'
import { AgreeBox } from '../forms/agreement.tsx'
import { CallForm } from '../forms/call-form.tsx'
import type { FormView } from '../forms/call-form.tsx'
import { useHref, useT } from '../i18n.tsx'
import { withParts } from '../text/with-parts.tsx'
import css from './cashier.module.css'
import { Countdown } from './countdown.tsx'
import { forms } from './forms.ts'
import { Lines } from './goods.tsx'
import type { CashierData } from './load.ts'
import { methodForm, Methods, OfChosen } from './methods.tsx'

/** The last look at an order, and the choice of how to pay it. The totals follow the choice by styles alone, with script and without. */
export function Page({ data }: { readonly data: CashierData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <div className={`row between ${css.head}`}>
        <h1>{t('cashier.title')}</h1>
        <a className={css.back} href={href(data.back)}>
          <Icon name="left" />
          {t('cashier.back')}
        </a>
      </div>
      {data.choice.chosen === null ? <NoMethods data={data} /> : <PayForm data={data} />}
    </div>
  )
}

function NoMethods({ data }: { readonly data: CashierData }) {
  const t = useT()
  const href = useHref()
  return (
    <Panel>
      <Empty level={2} title={t('cashier.noMethods')} text={t('cashier.noMethodsText')}>
        <ButtonLink look="solid" href={href(`/order/detail?order=${data.order}`)}>
          {t('cashier.toOrder')}
        </ButtonLink>
        <ButtonLink href={href('/support')}>{t('cashier.guideMore')}</ButtonLink>
      </Empty>
    </Panel>
  )
}

function PayForm({ data }: { readonly data: CashierData }) {
  const t = useT()
  return (
    <CallForm name="pay" form={forms.pay} className={methodForm}>
      {(view) => (
        <>
          <input type="hidden" name="order" value={data.order} />
          <div className={css.lay}>
            <Lines data={data} short={shortLines(view)} />
            <div className={css.main}>
              <Panel title={t('cashier.methods')}>
                <div className="stack">
                  {view.outcome?.message && Object.keys(view.outcome.faults).length === 0 ? (
                    <Note tone="bad" role="alert">
                      {view.outcome.message}
                    </Note>
                  ) : null}
                  {data.open === null ? null : (
                    <Note lead={t('cashier.openPayment', { method: data.open })}>
                      {t('cashier.openPaymentText')}
                    </Note>
                  )}
                  <Methods choice={data.choice} view={view} />
                </div>
              </Panel>
              <Panel className="stack">
                <Warnings warnings={data.warnings} />
                <Agreement view={view} />
              </Panel>
            </div>
            <aside className={css.aside}>
              <Summary data={data} view={view} />
            </aside>
          </div>
          <MobileBarFrame name={t('cashier.title')}>
            <Button type="submit" look="pay" grow busy={view.busy}>
              <Icon name="lock" />
              <OfChosen choice={data.choice}>
                {(method) => t('cashier.pay', { amount: method.total })}
              </OfChosen>
            </Button>
          </MobileBarFrame>
        </>
      )}
    </CallForm>
  )
}

/** Once for all of it, whatever the number of lines. */
function Warnings({ warnings }: { readonly warnings: CashierData['warnings'] }) {
  const t = useT()
  const href = useHref()
  if (warnings.length === 0) return null
  return (
    <Note tone="warn">
      {warnings.map(({ names, text, change }) => (
        <p key={text}>
          {names.map((name) => (
            <b key={name} className={css.about}>
              <bdi>{name}</bdi>
            </b>
          ))}
          {text}
          {change === null ? null : (
            <>
              {' '}
              <a className="link" href={href(change)}>
                {t('cashier.changeRegion')}
              </a>
            </>
          )}
        </p>
      ))}
    </Note>
  )
}

/** Places of the lines of which not enough is left, as the refusal names them. */
function shortLines({ outcome }: FormView): ReadonlySet<number> {
  const lines = (outcome?.data as { readonly lines?: unknown } | null)?.lines
  return new Set(Array.isArray(lines) ? (lines as { line: number }[]).map(({ line }) => line) : [])
}

function Summary({ data, view }: { readonly data: CashierData; readonly view: FormView }) {
  const t = useT()
  return (
    <Panel className="stack">
      {data.held.seconds === null ? null : (
        <Countdown label={t('cashier.timeLeft')} seconds={data.held.seconds} />
      )}
      <OfChosen as="div" choice={data.choice}>
        {(method) => (
          <SummaryList
            rows={[
              { label: t('cashier.subtotal'), value: <bdi className="num">{data.subtotal}</bdi> },
              ...(method.fee === null
                ? [
                    {
                      label: t('cashier.serviceFee'),
                      value: t('cashier.noFee'),
                      look: 'ok' as const,
                    },
                  ]
                : [
                    {
                      label: t('cashier.serviceFee'),
                      value: <bdi className="num">{method.fee}</bdi>,
                    },
                  ]),
              ...(data.tax === null
                ? []
                : [
                    {
                      label: t('cashier.tax'),
                      value: <bdi className="num">{data.tax}</bdi>,
                      look: 'muted' as const,
                    },
                  ]),
            ]}
            total={{ label: t('cashier.total'), value: method.total }}
          />
        )}
      </OfChosen>
      <Button type="submit" look="pay" size="large" block busy={view.busy} className={css.asidePay}>
        <Icon name="lock" />
        <OfChosen choice={data.choice}>
          {(method) => t('cashier.pay', { amount: method.total })}
        </OfChosen>
      </Button>
      <IconList items={[...data.facts, { icon: 'clock', text: data.held.text }]} />
    </Panel>
  )
}

function Agreement({ view }: { readonly view: FormView }) {
  const t = useT()
  return (
    <AgreeBox view={view} needed={t('cashier.agreeNeeded')}>
      {(link) =>
        withParts(t, 'cashier.agree', {
          sale: link('/article/sales-terms', t('cashier.agreeSale')),
          terms: link('/article/terms-of-use', t('cashier.agreeTerms')),
          privacy: link('/article/privacy-policy', t('cashier.agreePrivacy')),
        })
      }
    </AgreeBox>
  )
}
