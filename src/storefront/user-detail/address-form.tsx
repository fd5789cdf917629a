import type { AddressFormField } from '#features/people/address/schema.ts'
import { Button } from '#ui/button.tsx'
import { Check } from '#ui/check.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm, type FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import { showAskedInstead } from '../state/refresh.ts'
import type { AddressFormData } from './addresses.ts'
import css from './user-detail.module.css'
import { forms } from './forms.ts'
import { BackLink } from './step.tsx'

/**
 * An address in its country's own form. The country is a question of its own, asked by GET: without script its button shows
 * the fields; with it they change at once and keep what was typed.
 */
export function AddressForm({ data }: { readonly data: AddressFormData }) {
  const t = useT()
  return (
    <Panel
      title={data.id === null ? t('account.addressAdd') : t('account.addressEdit')}
      className="stack-l"
    >
      <CountryForm key={data.country} data={data} />
      {data.country === '' ? null : (
        <CallForm name="saveAddress" form={forms.saveAddress} className="stack-l">
          {(view) => (
            <>
              <Refusal view={view} />
              <input type="hidden" name="id" value={data.id ?? ''} />
              <input type="hidden" name="country" value={data.country} />
              <div className={css.fields}>
                {data.fields.map((field) => (
                  <AddressInput
                    key={field.name}
                    field={field}
                    view={view}
                    initial={data.values[field.name] ?? ''}
                  />
                ))}
              </div>
              {/* The default one stays it until another is: there is always one. */}
              {data.isDefault ? (
                <input type="hidden" name="is_default" value="1" />
              ) : (
                <Check name="is_default" value="1" defaultChecked={view.isOn('is_default', false)}>
                  {t('account.addressMakeDefault')}
                </Check>
              )}
              <div className="row">
                <Button type="submit" look="solid" busy={view.busy}>
                  {t('account.addressSave')}
                </Button>
                <BackLink path="/userDetail?section=addresses" />
              </div>
            </>
          )}
        </CallForm>
      )}
    </Panel>
  )
}

function CountryForm({ data }: { readonly data: AddressFormData }) {
  const t = useT()
  const href = useHref()
  return (
    <form method="get" action={href('/userDetail')} className={css.country}>
      <input type="hidden" name="section" value="addresses" />
      <input type="hidden" name="do" value={data.step} />
      {data.id === null ? null : <input type="hidden" name="id" value={data.id} />}
      <SelectField
        id="country"
        name="country"
        label={t('account.country')}
        autoComplete="country"
        defaultValue={data.country}
        onChange={({ currentTarget: { value, form } }) => {
          if (value !== '' && form) showAskedInstead(form)
        }}
      >
        {data.country === '' ? <option value="">{t('account.countryChoose')}</option> : null}
        {data.countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      {/* Gone before the first paint where there is script: what follows must not move when the page comes alive. */}
      <div className="without-script">
        <Button type="submit">{t('account.countryApply')}</Button>
      </div>
    </form>
  )
}

function AddressInput({
  field,
  view,
  initial,
}: {
  readonly field: AddressFormField
  readonly view: FormView
  readonly initial: string
}) {
  const t = useT()
  return (
    <div className={field.name === 'address' ? css.whole : undefined}>
      <TextField
        id={field.name}
        label={field.label}
        aside={field.required ? undefined : t('form.optional')}
        hint={field.hint === '' ? undefined : field.hint}
        autoComplete={field.autocomplete}
        inputMode={field.digits_only ? 'numeric' : undefined}
        maxLength={field.max}
        required={field.required}
        {...view.field(field.name, initial)}
      />
    </div>
  )
}
