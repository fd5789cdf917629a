import { useId } from 'react'
import { GRADE_RATINGS, REVIEW_GRADES, REVIEW_TEXT_MAX } from '#features/goods/review/rules.ts'
import { Button } from '#ui/button.tsx'
import { FieldFault, TextArea } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useT } from '../i18n.tsx'
import { showToast } from '../state/toasts.ts'
import { forms } from './forms.ts'
import css from './order-detail.module.css'

const TOAST_MS = 3_000
const STARS = [1, 2, 3, 4, 5] as const

interface ReviewFormProps {
  readonly order: string
  readonly product: string
  /** Of the goods, where the order has several. */
  readonly name: string | null
}

export function ReviewForm({ order, product, name }: ReviewFormProps) {
  const t = useT()
  const id = useId()
  return (
    <Panel
      title={name === null ? t('order.reviewTitle') : t('order.reviewOf', { name })}
      className="stack"
    >
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
            <input type="hidden" name="product" value={product} />
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
    </Panel>
  )
}

/** Five stars to choose from, or a word for three of them. */
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
      <div className={css.rate}>
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
        <div className="row">
          {REVIEW_GRADES.map((grade) => (
            <label
              key={grade}
              className={`${css.grade} ${css[grade]}`}
              htmlFor={`${id}-${GRADE_RATINGS[grade]}`}
            >
              {t(`reviews.${grade}`)}
            </label>
          ))}
        </div>
      </div>
      {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
    </div>
  )
}
