import { useId, useRef, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { permissionName } from '../kit/permission-name.ts'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { TokensData } from './load.ts'

/** Tokens of programs: made, told once, and ended. */
export function Page({ data }: { readonly data: TokensData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.tokens.nav')}</h1>
          <p>{t('console.tokens.lead')}</p>
        </div>
      </div>
      {data.tokens.length === 0 ? (
        <section className="panel empty">
          <h2>{t('console.tokens.none')}</h2>
        </section>
      ) : (
        <ol className="panel flush inbox">
          {data.tokens.map((token) => (
            <Token key={token.id} token={token} />
          ))}
        </ol>
      )}
      <Maker scopes={data.scopes} days={data.days} />
    </>
  )
}

function Token({ token }: { readonly token: TokensData['tokens'][number] }) {
  const t = useT()
  const attempt = useAttempt()
  async function revoke() {
    if (await attempt.run(() => callConsole('tokens/revoke', { id: token.id }))) refreshPage()
  }
  return (
    <li className="row between wrapx">
      <div className="grow">
        <p>
          <b dir="auto">{token.label}</b> <bdi>{token.operator}</bdi>{' '}
          <span className="muted">
            {t('console.tokens.ends', { at: token.ends })}
            {' · '}
            {token.used === null
              ? t('console.tokens.unused')
              : t('console.tokens.used', { at: token.used })}
          </span>
        </p>
        {token.permissions && (
          <p className="mono tiny muted" dir="ltr">
            {token.permissions.join(', ')}
          </p>
        )}
      </div>
      <button
        type="button"
        className="btn edge sm"
        disabled={attempt.isBusy}
        onClick={() => void revoke()}
      >
        {t('console.tokens.revoke')}
      </button>
      <Fault text={attempt.fault} />
    </li>
  )
}

function Maker({ scopes, days }: Pick<TokensData, 'scopes' | 'days'>) {
  const t = useT()
  const attempt = useAttempt()
  const [made, setMade] = useState<string | null>(null)
  const [heading, label, lasts] = [useId(), useId(), useId()]
  const typed = useRef<HTMLFormElement>(null)
  async function make() {
    const form = typed.current
    if (!form) return
    const given = new FormData(form)
    const done = await attempt.run(() =>
      callConsole<{ readonly token: string }>('tokens/create', {
        label: given.get('label'),
        days: Number(given.get('days')),
        permissions: given.getAll('permissions'),
      }),
    )
    if (!done) return
    setMade(done.token)
    form.reset()
    refreshPage()
  }
  return (
    <form
      className="panel stack-2"
      aria-labelledby={heading}
      ref={typed}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void make()
      }}
    >
      <h2 id={heading}>{t('console.tokens.makeTitle')}</h2>
      <div className="field">
        <label htmlFor={label}>{t('console.tokens.label')}</label>
        <input
          className="input"
          id={label}
          name="label"
          maxLength={100}
          required
          autoComplete="off"
        />
        <Wrong text={attempt.fields['label']} />
      </div>
      <div className="field">
        <label htmlFor={lasts}>{t('console.tokens.days')}</label>
        <input
          className="input"
          id={lasts}
          name="days"
          type="number"
          min={1}
          max={days.most}
          defaultValue={days.usual}
          required
        />
        <Wrong text={attempt.fields['days']} />
      </div>
      <Scopes scopes={scopes} fault={attempt.fields['permissions']} />
      <Fault text={attempt.fault} />
      <Made token={made} />
      <button type="submit" className="btn solid" disabled={attempt.isBusy}>
        {t('console.tokens.make')}
      </button>
    </form>
  )
}

function Made({ token }: { readonly token: string | null }) {
  const t = useT()
  return token === null ? null : (
    <div className="note" role="status">
      <p>{t('console.tokens.shown')}</p>
      <p className="mono" dir="ltr">
        {token}
      </p>
    </div>
  )
}

function Scopes({
  scopes,
  fault,
}: Pick<TokensData, 'scopes'> & { readonly fault: string | undefined }) {
  const t = useT()
  return (
    <fieldset className="stack-2">
      <legend className="label">{t('console.tokens.scopes')}</legend>
      <div className="checks">
        {scopes.map((one) => (
          <label key={one} className="check">
            <input type="checkbox" name="permissions" value={one} />{' '}
            <span>
              {permissionName(t, one)}
              <bdi className="sub mono">{one}</bdi>
            </span>
          </label>
        ))}
      </div>
      <Wrong text={fault} />
    </fieldset>
  )
}

function Wrong({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p className="msg" role="alert">
      {text}
    </p>
  )
}
