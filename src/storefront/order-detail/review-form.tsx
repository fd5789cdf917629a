import { useId } from 'react'
import { REVIEW_TEXT_MAX } from '#features/goods/review/rules.ts'
import { Button } from '#ui/button.tsx'
import { FieldFault, SelectField } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm, type FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { showToast } from '../state/toasts.ts'
import { forms } from './forms.ts'
import type { OrderDetailData } from './load.ts'
import css from './order-detail.module.css'

const TOAST_MS = 3_000
const STARS = [1, 2, 3, 4, 5] as const

interface ReviewFormProps {
  readonly order: string
  readonly products: OrderDetailData['reviews']
  /** The order has other goods, so that these are named. */
  readonly isOneOfSeveral: boolean
}

/** One form for whatever of the order can be reviewed, folded until somebody wants to. */
export function ReviewForm({ order, products, isOneOfSeveral }: ReviewFormProps) {
  const t = useT()
  const id = useId()
  const { outcome } = usePageState()
  const [only] = products
  if (!only) return null
  const title =
    products.length === 1 && isOneOfSeveral
      ? t('order.reviewOf', { name: only.name })
      : t('order.reviewTitle')
  return (
    <Panel>
      <details className={css.review} open={outcome?.form === 'review' && !outcome.isDone}>
        <summary>
          <Icon name="star" />
          <h2>{title}</h2>
          <Icon name="down" />
        </summary>
        <CallForm
          name="review"
          form={forms.review}
          className="stack"
          onDone={() => showToast('ok', t('order.reviewThanks'), TOAST_MS)}
        >
          {(view) => (
            <>
              <Refusal view={view} />
              <input type="hidden" name="order" value={order} />
              <Reviewed view={view} id={id} products={products} />
              <Rating
                id={id}
                chosen={view.outcome?.values['rating'] ?? ''}
                fault={view.outcome?.faults['rating']}
              />
              <TextArea
                id={`${id}-text`}
                label={t('order.reviewText')}
                aside={t('order.optional')}
                rows={3}
                maxLength={REVIEW_TEXT_MAX}
                {...view.field('text')}
                autoFocus={false}
              />
              <div>
                <Button type="submit" look="solid" busy={view.busy}>
                  {t('order.reviewSend')}
                </Button>
              </div>
            </>
          )}
        </CallForm>
      </details>
    </Panel>
  )
}

/** What the review is about; one alone is not asked for. */
function Reviewed({
  view,
  id,
  products,
}: {
  readonly view: FormView
  readonly id: string
  readonly products: OrderDetailData['reviews']
}) {
  const t = useT()
  if (products.length === 1) return <input type="hidden" name="product" value={products[0]?.code} />
  const { defaultValue, ...field } = view.field('product')
  return (
    <SelectField
      id={`${id}-product`}
      label={t('order.receipt.goods')}
      required
      {...field}
      defaultValue={defaultValue}
      autoFocus={false}
    >
      {products.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

/** Five stars to choose from. */
function Rating({
  id,
  chosen,
  fault,
}: {
  readonly id: string
  readonly chosen: string
  readonly fault: string | undefined
}) {
  const t = useT()
  return (
    <div className={css.group} role="radiogroup" aria-label={t('order.reviewRating')}>
      <div className={css.stars}>
        {STARS.map((star) => (
          <label key={star} className={css.star}>
            <input
              type="radio"
              id={`${id}-${star}`}
              name="rating"
              value={star}
              required
              defaultChecked={chosen === String(star)}
            />
            <Icon name="star" />
            <span className="sr">{t('order.reviewStars', { count: star })}</span>
          </label>
        ))}
      </div>
      {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
    </div>
  )
}
