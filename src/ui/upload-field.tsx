import { type ChangeEvent, type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './upload-field.module.css'

export interface UploadFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  id: string
  /** On the button that opens the file dialog. */
  label: string
  hint: string
  /** What is wrong with the file last chosen. */
  error?: string | undefined
  /** Stands there until a picture is chosen: an `Avatar`. */
  current: ReactNode
  /** Told the file chosen, so that it can be sent at once; without script the form's button sends it. */
  onChoose?: ((file: File) => void) | undefined
}

/** Chooses a picture and shows it. The input itself lies over the button: it works without script. */
export function UploadField({ label, hint, error, current, onChoose, ...input }: UploadFieldProps) {
  const [chosen, setChosen] = useState<{ name: string; address: string } | null>(null)
  useEffect(
    () => () => (chosen === null ? undefined : URL.revokeObjectURL(chosen.address)),
    [chosen],
  )
  const noteId = `${input.id}-note`
  const take = (event: ChangeEvent<HTMLInputElement>): void => {
    const file = event.currentTarget.files?.[0]
    setChosen(file === undefined ? null : { name: file.name, address: URL.createObjectURL(file) })
    if (file !== undefined) onChoose?.(file)
  }
  return (
    <div className={css.field}>
      {chosen === null || error !== undefined ? (
        current
      ) : (
        <img className={css.preview} src={chosen.address} alt="" />
      )}
      <div>
        <label className={buttonClass({}, css.choose)}>
          <Icon name="upload" />
          {label}
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            {...input}
            onChange={take}
            aria-describedby={noteId}
            aria-invalid={error === undefined ? undefined : true}
          />
        </label>
        <div id={noteId}>
          {chosen === null ? null : (
            <p className={css.chosen}>
              <bdi>{chosen.name}</bdi>
            </p>
          )}
          {error === undefined ? (
            <p className={css.hint}>{hint}</p>
          ) : (
            <p className={css.error} role="alert">
              <Icon name="alert" />
              <span>{error}</span>
            </p>
          )}
        </div>
      </div>
    </div>
  )
}
