import type { OfferedService } from '#features/people/identity/rules.ts'
import { Doors } from '#ui/auth-layout.tsx'
import { Button } from '#ui/button.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import type { AnyForm } from '../forms/form.ts'
import { useT } from '../i18n.tsx'

interface ServiceDoorsProps {
  readonly form: AnyForm
  readonly services: readonly OfferedService[]
  readonly redirect: string | null
}

/** Other services to sign in with: one form, whose button says which. */
export function ServiceDoors({ form, services, redirect }: ServiceDoorsProps) {
  const t = useT()
  return (
    <CallForm name="authorize" form={form} className="stack" aria-label={t('sign-in.services')}>
      {(view) => (
        <>
          <Refusal view={view} />
          <input type="hidden" name="redirect" value={redirect ?? '/'} />
          <Doors>
            {services.map((service) => (
              <Button key={service.platform} type="submit" name="platform" value={service.platform}>
                {service.name}
              </Button>
            ))}
          </Doors>
        </>
      )}
    </CallForm>
  )
}
