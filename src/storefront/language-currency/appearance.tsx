import { useEffect, useRef } from 'react'
import { Panel } from '#ui/panel.tsx'
import { SegmentedRadio } from '#ui/segmented-radio.tsx'
import { useT } from '../i18n.tsx'
import { chooseTheme, currentTheme, THEMES } from '../state/theme.ts'
import css from './language-currency.module.css'

/** Light, dark or as the device: applied at once, without being saved with the form. Needs script, so it hides without; which one is chosen only the browser knows. */
export function Appearance() {
  const t = useT()
  const field = useRef<HTMLDivElement>(null)

  // What was pressed before the application was alive counts; otherwise the look the page already has.
  useEffect(() => {
    const inputs = [...(field.current?.querySelectorAll('input') ?? [])]
    const pressed = THEMES.find(
      (theme) =>
        theme === inputs.find(({ checked, defaultChecked }) => checked && !defaultChecked)?.value,
    )
    if (pressed) return chooseTheme(pressed)
    for (const input of inputs) input.checked = input.value === currentTheme()
  }, [])

  return (
    <Panel className={css.appearance}>
      <div ref={field} className="stack-s">
        <h2 className={css.legend}>{t('preferences.appearance')}</h2>
        <SegmentedRadio
          label={t('preferences.appearance')}
          name="theme"
          options={THEMES.map((theme) => ({
            value: theme,
            text: t(`preferences.appearance.${theme}`),
            defaultChecked: theme === 'system',
            onChange: () => chooseTheme(theme),
          }))}
        />
        <p className="small muted">{t('preferences.appearanceHint')}</p>
      </div>
    </Panel>
  )
}
