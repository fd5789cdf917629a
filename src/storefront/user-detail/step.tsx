import { ButtonLink } from '#ui/button.tsx'
import type { ProofData } from '../forms/proof-data.ts'
import { useHref, useT } from '../i18n.tsx'
import type { SecurityData } from './security.ts'

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
