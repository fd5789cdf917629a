import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CatalogueRow } from './catalogue.ts'

const FIELDS = ['cost', 'stock', 'name', 'faces', 'limits'] as const
const MODES = ['follow', 'once', 'never'] as const

/** Which fields of a product follow what is listed, and whether syncs touch it at all. */
export function Modes({
  code,
  row,
  mayChange,
}: {
  readonly code: string
  readonly row: CatalogueRow
  readonly mayChange: boolean
}) {
  const t = useT()
  const attempt = useAttempt()
  const [isOpen, setOpen] = useState(false)
  const named = { supplier: code, product: row.product, face: row.face }
  const change = (path: string, body: Readonly<Record<string, unknown>>) =>
    void attempt
      .run(() => callConsole(path, { ...named, ...body }))
      .then((done) => done && refreshPage())
  const followed = FIELDS.filter((field) => row.modes[field] === 'follow')
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link small">
        {followed.map((field) => t(`console.supplier.field.${field}`)).join(', ') || '–'}
      </summary>
      {isOpen && (
        <div className="stack-2">
          {FIELDS.map((field) =>
            mayChange ? (
              <Choice
                key={field}
                label={t(`console.supplier.field.${field}`)}
                value={row.modes[field]}
                options={MODES.map((mode) => ({
                  value: mode,
                  text: t(`console.supplier.mode.${mode}`),
                }))}
                choose={(mode) => change('suppliers/listings/mode', { field, mode })}
              />
            ) : (
              <p key={field}>
                {t(`console.supplier.field.${field}`)}:{' '}
                {t(`console.supplier.mode.${row.modes[field]}`)}
              </p>
            ),
          )}
          {mayChange && (
            <label className="check">
              <input
                type="checkbox"
                checked={row.isLocked}
                onChange={(event) =>
                  change('suppliers/listings/lock', { is_locked: event.target.checked })
                }
              />
              {t('console.supplier.lock')}
            </label>
          )}
          <Fault text={attempt.fault} />
        </div>
      )}
    </details>
  )
}
