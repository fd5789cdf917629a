import { Button, ButtonLink } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconList } from '#ui/list.tsx'
import { Note } from '#ui/note.tsx'
import { OptionList, OptionRow } from '#ui/option-row.tsx'
import { Panel } from '#ui/panel.tsx'
import { MobileBarFrame, SummaryList } from '#ui/summary.tsx'
import type { ReactNode } from 'react'
import { AgreeBox } from '../forms/agreement.tsx'
import { CallForm } from '../forms/call-form.tsx'
import type { FormView } from '../forms/call-form.tsx'
import { useHref, useT } from '../i18n.tsx'
import { withParts } from '../text/with-parts.tsx'
import css from './cashier.module.css'
import { Countdown } from './countdown.tsx'
import { forms } from './forms.ts'
import { Goods } from './goods.tsx'
import type { CashierData, CashierMethod } from './load.ts'

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
      {data.choices.length === 0 ? <NoMethods data={data} /> : <PayForm data={data} />}
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
    <CallForm name="pay" form={forms.pay} className={css.form}>
      {(view) => (
        <>
          <input type="hidden" name="order" value={data.order} />
          <DetailLayout aside={<Summary data={data} view={view} />}>
            <Panel title={t('cashier.yourOrder')}>
              <div className="stack">
                <Goods lines={data.lines} short={shortLines(view)} />
                <Warnings warnings={data.warnings} />
              </div>
            </Panel>
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
                <Methods data={data} view={view} />
              </div>
            </Panel>
          </DetailLayout>
          <MobileBarFrame name={t('cashier.title')}>
            <Button type="submit" look="pay" grow busy={view.busy}>
              <Icon name="lock" />
              <OfChosen data={data}>
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
  if (warnings.length === 0) return null
  return (
    <Note tone="warn">
      {warnings.map(({ names, text }) => (
        <p key={text}>
          {names.map((name) => (
            <b key={name} className={css.about}>
              <bdi>{name}</bdi>
            </b>
          ))}
          {text}
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

function Methods({ data, view }: { readonly data: CashierData; readonly view: FormView }) {
  const t = useT()
  const fault = view.outcome?.faults['method']
  const chosen = view.outcome?.values['method'] ?? data.chosen
  return (
    <>
      {fault === undefined ? null : (
        <Note tone="bad" role="alert">
          {fault}
        </Note>
      )}
      {data.groups.map((group) => (
        <div key={group.code} className="stack-s">
          <h3 className="small muted">{group.title}</h3>
          <OptionList label={group.title}>
            {group.methods.map((method) => (
              <OptionRow
                key={method.code}
                group="method"
                value={method.code}
                data-choice={placeOf(data, method)}
                defaultChecked={method.code === chosen}
                disabled={method.reason !== null}
                lead={<Plate method={method} />}
                name={
                  method.code === data.lastUsed && method.reason === null ? (
                    <>
                      {method.name} <span className={css.last}>{t('cashier.lastUsed')}</span>
                    </>
                  ) : (
                    method.name
                  )
                }
                note={method.text === '' ? undefined : method.text}
                total={method.total}
                totalNote={
                  method.reason ??
                  (method.fee === null ? (
                    <span className={css.noFee}>{t('cashier.noFee')}</span>
                  ) : (
                    t('cashier.fee', { amount: method.fee })
                  ))
                }
              />
            ))}
          </OptionList>
        </div>
      ))}
    </>
  )
}

function Plate({ method }: { readonly method: CashierMethod }) {
  return (
    <span className={css.plate} aria-hidden="true">
      <Icon name={method.icon} />
    </span>
  )
}

function placeOf(data: CashierData, method: CashierMethod): number | undefined {
  const place = data.choices.findIndex(({ code }) => code === method.code)
  return place < 0 ? undefined : place
}

/** The same words for every method, of which the styles show those of the chosen one. */
function OfChosen({
  data,
  children,
}: {
  readonly data: CashierData
  readonly children: (method: CashierMethod) => ReactNode
}) {
  return data.choices.map((method, place) => (
    <span key={method.code} className={css.ofChosen} data-of={place}>
      {children(method)}
    </span>
  ))
}

function Summary({ data, view }: { readonly data: CashierData; readonly view: FormView }) {
  const t = useT()
  return (
    <Panel className="stack">
      {data.held.seconds === null ? null : (
        <Countdown label={t('cashier.timeLeft')} seconds={data.held.seconds} />
      )}
      {data.choices.map((method, place) => (
        <div key={method.code} className={css.ofChosen} data-of={place}>
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
        </div>
      ))}
      <Agreement view={view} />
      <Button type="submit" look="pay" size="large" block busy={view.busy}>
        <Icon name="lock" />
        <OfChosen data={data}>{(method) => t('cashier.pay', { amount: method.total })}</OfChosen>
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
