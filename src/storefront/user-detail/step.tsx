import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#ui/button.tsx'
import type { FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { ProvenForm, type ProvenFormProps } from '../forms/proof.tsx'
import type { ProofData } from '../forms/proof-data.ts'
import { useHref, useT } from '../i18n.tsx'
import type { SecurityData } from './security.ts'
import css from './user-detail.module.css'

export const SECURITY = '/userDetail?section=security'

export interface StepProps {
  readonly data: SecurityData
  readonly proof: ProofData
}

/** Back from a step to its section. */
export function BackLink({ path, text }: { readonly path: string; readonly text?: string }) {
  const t = useT()
  const href = useHref()
  return (
    <ButtonLink look="ghost" href={href(path)}>
      {text ?? t('form.cancel')}
    </ButtonLink>
  )
}

interface StepFormProps extends Omit<ProvenFormProps, 'children' | 'className'> {
  /** Text of its button. */
  readonly submit: string
  /** The step takes something away. */
  readonly isBad?: boolean
  /** As wide as what it stands in. */
  readonly isWide?: boolean
  readonly children?: (view: FormView) => ReactNode
}

/** A step of the security section: what was refused, its own fields, the proof where one is asked for, its button and the way back. */
export function StepForm({
  submit,
  isBad = false,
  isWide = false,
  children,
  ...form
}: StepFormProps) {
  return (
    <ProvenForm className={isWide ? 'stack' : `stack ${css.narrow}`} {...form}>
      {(view, asked) => (
        <>
          <Refusal view={view} />
          {children?.(view)}
          {asked}
          <div className="row">
            <Button type="submit" look={isBad ? 'bad' : 'solid'} busy={view.busy}>
              {submit}
            </Button>
            <BackLink path={SECURITY} />
          </div>
        </>
      )}
    </ProvenForm>
  )
}
