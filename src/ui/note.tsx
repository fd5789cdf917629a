import type { ReactNode } from 'react'
import { joined } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import css from './note.module.css'

export interface NoteProps {
  /** `info` helps, `ok` confirms, `warn` is a limit, `bad` means money or data can be lost. */
  tone?: 'info' | 'ok' | 'warn' | 'bad' | undefined
  /** First clause, in bold: the fact itself. */
  lead?: string | undefined
  children?: ReactNode
  /** Control or link at the end of the line. */
  action?: ReactNode
  /** `alert` when it appears in answer to something the person did. */
  role?: 'alert' | 'status' | undefined
}

const ICONS: Record<NonNullable<NoteProps['tone']>, IconName> = {
  info: 'info',
  ok: 'check',
  warn: 'alert',
  bad: 'alert',
}

export function Note({ tone = 'info', lead, children, action, role }: NoteProps) {
  return (
    <div className={joined(css.note, css[tone], action !== undefined && css.with)} role={role}>
      <Icon name={ICONS[tone]} />
      <div>
        {lead === undefined ? null : <b>{lead} </b>}
        {children}
      </div>
      {action}
    </div>
  )
}
