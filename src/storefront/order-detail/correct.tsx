import { Button } from '#ui/button.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { FoldedPicture } from '#ui/folded-picture.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm, type FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { Correction } from './corrections.ts'

/** What a line could not be credited with, to be corrected for the same money. */
export function Correct({
  order,
  correction,
}: {
  readonly order: string
  readonly correction: Correction
}) {
  const t = useT()
  return (
    <Panel title={t('order.correct')} className="stack">
      <p>
        <b>{correction.name}</b>
      </p>
      <p className="muted">{correction.lead}</p>
      <CallForm name="correct" form={forms.correct} className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="order" value={order} />
            <input type="hidden" name="unit" value={correction.unit} />
            {correction.fields.map((field) => (
              <AccountField key={field.key} view={view} correction={correction} field={field} />
            ))}
            {correction.figures.map((figure) => (
              <FoldedPicture key={figure.summary} {...figure} />
            ))}
            <Button type="submit" look="solid" busy={view.busy}>
              {t('order.correctSave')}
            </Button>
          </>
        )}
      </CallForm>
    </Panel>
  )
}

function AccountField({
  view,
  correction: { unit, words },
  field,
}: {
  readonly view: FormView
  readonly correction: Pick<Correction, 'unit' | 'words'>
  readonly field: Correction['fields'][number]
}) {
  const common = {
    id: `${unit}-${field.key}`,
    label: field.label,
    aside: field.required ? undefined : words.optional,
    hint: field.help ?? undefined,
    required: field.required,
    ...view.field(`fields.${field.key}`, field.value),
  }
  return field.kind === 'select' ? (
    <SelectField {...common}>
      <option value="">{words.pickOne}</option>
      {field.options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  ) : (
    <TextField {...common} autoCapitalize="none" autoCorrect="off" spellCheck={false} />
  )
}
