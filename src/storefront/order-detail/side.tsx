import { Button, ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { SummaryList, type SummaryRow } from '#ui/summary.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT, type Words } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { OrderDetailData } from './load.ts'
import css from './order-detail.module.css'

/** What was paid, and what can be done with the order. */
export function Side({ data }: { readonly data: OrderDetailData }) {
  const t = useT()
  const href = useHref()
  const { sums } = data
  return (
    <Panel className="stack">
      <SummaryList
        rows={rowsOf(sums, t)}
        total={
          sums.refunded === null
            ? { label: t('order.total'), value: sums.total }
            : { label: t('order.netTotal'), value: sums.refunded.net }
        }
      />
      {data.pay === null ? null : (
        <ButtonLink
          look="pay"
          size="large"
          block
          className={css.asidePay}
          href={href(data.pay.path)}
        >
          {data.pay.text}
        </ButtonLink>
      )}
      {data.pay?.changePath ? (
        <ButtonLink block href={href(data.pay.changePath)}>
          {t('order.changeMethod')}
        </ButtonLink>
      ) : null}
      {data.receipt === null ? null : (
        <ButtonLink block href={data.receipt} download>
          <Icon name="receipt" />
          {t('order.receiptLink')}
        </ButtonLink>
      )}
      {data.invoices.map(({ text, path }) => (
        <ButtonLink key={path} look="ghost" block href={path} download>
          <Icon name="receipt" />
          {text}
        </ButtonLink>
      ))}
      {data.again === null ? null : <BuyAgain lines={data.again} />}
      {data.canCancel ? <Cancel order={data.order} /> : null}
      {data.problem ? null : (
        <ButtonLink look="ghost" block href={href(data.problemPath)}>
          <Icon name="chat" />
          {t('order.problem')}
        </ButtonLink>
      )}
    </Panel>
  )
}

/** Only what there is something to say of. */
function rowsOf(sums: OrderDetailData['sums'], t: Words['t']): SummaryRow[] {
  return [
    ...(sums.method === null ? [] : [{ label: t('order.paymentMethod'), value: sums.method }]),
    ...(sums.payment === null
      ? []
      : [
          {
            label: t('order.paymentStatus'),
            value: sums.payment.text,
            look: sums.payment.isPaid ? ('ok' as const) : undefined,
          },
        ]),
    { label: t('order.items'), value: <bdi>{sums.goods}</bdi> },
    ...(sums.fee === null ? [] : [{ label: t('order.fee'), value: <bdi>{sums.fee}</bdi> }]),
    ...sums.taxes.map((tax) => ({
      label: tax.label,
      value: <bdi>{tax.text}</bdi>,
      look: 'muted' as const,
    })),
    ...(sums.part === null
      ? []
      : [
          { label: t('order.arrived'), value: <bdi>{sums.part.paid}</bdi> },
          { label: t('order.missing'), value: <bdi>{sums.part.missing}</bdi> },
        ]),
    ...(sums.refunded === null
      ? []
      : [{ label: t('order.refundedSum'), value: <bdi>{sums.refunded.text}</bdi> }]),
  ]
}

function BuyAgain({ lines }: { readonly lines: string }) {
  const t = useT()
  return (
    <CallForm name="buyAgain" form={forms.buyAgain} className="stack">
      {(view) => (
        <>
          <Refusal view={view} />
          <input type="hidden" name="lines" value={lines} />
          <Button type="submit" block busy={view.busy}>
            <Icon name="cart" />
            {t('order.buyAgain')}
          </Button>
        </>
      )}
    </CallForm>
  )
}

function Cancel({ order }: { readonly order: string }) {
  const t = useT()
  return (
    <CallForm name="cancel" form={forms.cancel} className="stack">
      {(view) => (
        <>
          <Refusal view={view} />
          <input type="hidden" name="order" value={order} />
          <Button type="submit" look="ghost" block busy={view.busy}>
            {t('order.cancel')}
          </Button>
        </>
      )}
    </CallForm>
  )
}
