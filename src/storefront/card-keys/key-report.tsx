import { CASE_TEXT_MAX } from '#features/buying/after-sales/rules.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { Note } from '#ui/note.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './card-keys.module.css'
import type { KeyRow, KeysState } from './data.ts'
import { KEY_FORMS } from './forms.ts'

/** A key that does not work is told to the shop. */
export function KeyReport({ row, keys }: { readonly row: KeyRow; readonly keys: KeysState }) {
  const t = useT()
  const href = useHref()
  return (
    <CallForm name="reportKey" form={KEY_FORMS.reportKey} className={`stack ${css.narrow}`}>
      {(view) =>
        view.outcome?.isDone ? (
          <Note tone="ok" role="status">
            {t('cardpwd.reportDone')}
          </Note>
        ) : (
          <>
            <Refusal view={view} />
            <input type="hidden" name="id" value={row.id} />
            <TextArea
              id={`report-${row.id}`}
              label={t('cardpwd.reportLabel')}
              hint={t('cardpwd.reportHint')}
              required
              maxLength={CASE_TEXT_MAX}
              rows={3}
              {...view.field('text')}
            />
            <div className="row">
              <Button type="submit" look="solid" busy={view.busy}>
                {t('cardpwd.reportSend')}
              </Button>
              <ButtonLink look="ghost" href={href(keys.path)}>
                {t('form.cancel')}
              </ButtonLink>
            </div>
          </>
        )
      }
    </CallForm>
  )
}
