import { CASE_TEXT_MAX } from '#features/buying/after-sales/rules.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Check, RadioRow } from '#ui/check.tsx'
import { FieldFault, SelectField } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { CallForm, type FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { ProblemData } from './load.ts'
import css from './order-detail.module.css'

/** The step for what is wrong with an order. */
export function Problem({
  order,
  problem,
}: {
  readonly order: string
  readonly problem: ProblemData
}) {
  const t = useT()
  const href = useHref()
  return (
    <Panel title={t('order.problemTitle')} className="stack">
      <p className="muted">{t('order.problemIntro')}</p>
      <Note>{t('order.codeNote')}</Note>
      <CallForm name="problem" form={forms.problem} takesFile className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="order" value={order} />
            <UnitBoxes view={view} units={problem.units} />
            <Reason view={view} reasons={problem.reasons} />
            <TextArea
              id="text"
              label={t('order.problemText')}
              aside={t('order.optional')}
              hint={t('order.problemTextHint')}
              rows={4}
              maxLength={CASE_TEXT_MAX}
              {...view.field('text')}
            />
            <UploadField
              id="image"
              name="image"
              label={t('order.problemPicture')}
              hint={t('order.problemPictureHint')}
              error={view.outcome?.faults['image'] ?? view.outcome?.faults['picture']}
              accept="image/png,image/jpeg,image/webp"
              current={null}
            />
            <fieldset className={css.group}>
              <legend>{t('order.problemTo')}</legend>
              <RadioRow
                name="to"
                value="original"
                defaultChecked={view.outcome?.values['to'] !== 'store_credit'}
              >
                {t('order.toOriginal')}
              </RadioRow>
              <RadioRow
                name="to"
                value="store_credit"
                note={t('order.toCreditNote')}
                defaultChecked={view.outcome?.values['to'] === 'store_credit'}
              >
                {t('order.toCredit')}
              </RadioRow>
            </fieldset>
            <div className="row">
              <Button type="submit" look="solid" busy={view.busy}>
                {t('order.problemSend')}
              </Button>
              <ButtonLink look="ghost" href={href(`/order/detail?order=${order}`)}>
                {t('order.problemBack')}
              </ButtonLink>
            </div>
          </>
        )}
      </CallForm>
    </Panel>
  )
}

/** An only piece needs no choice. */
function UnitBoxes({
  view,
  units,
}: {
  readonly view: FormView
  readonly units: ProblemData['units']
}) {
  const t = useT()
  const fault = view.outcome?.faults['units']
  if (units.length < 2) return null
  return (
    <fieldset className={css.group}>
      <legend>{t('order.problemUnits')}</legend>
      <input type="hidden" name="choose" value="on" />
      {units.map((unit) => (
        <Check key={unit.id} name="units" value={unit.id} note={unit.note}>
          {unit.name}
        </Check>
      ))}
      {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
    </fieldset>
  )
}

function Reason({
  view,
  reasons,
}: {
  readonly view: FormView
  readonly reasons: ProblemData['reasons']
}) {
  const t = useT()
  const { defaultValue, ...field } = view.field('reason')
  return (
    <SelectField
      id="reason"
      label={t('order.problemReason')}
      required
      defaultValue={defaultValue}
      {...field}
    >
      <option value="">{t('order.problemChoose')}</option>
      {reasons.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}
