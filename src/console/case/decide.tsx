import { useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice, TextField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CaseData } from './load.ts'

type Way = 'accept' | 'replace' | 'decline'

/** The decision: what each way does is told before it is taken, and the customer reads the note. */
export function Decide({ data }: { readonly data: CaseData }) {
  const t = useT()
  const attempt = useAttempt()
  const [way, setWay] = useState<Way>(data.mayReplace ? 'replace' : 'accept')
  const [note, setNote] = useState('')
  const [waits, setWaits] = useState(false)
  const { effect, refusal } = data.refund

  async function decide(event: FormEvent) {
    event.preventDefault()
    const done = await attempt.run(() =>
      callConsole<{ waits?: string | readonly string[] | null }>(`cases/${way}`, {
        case: data.id,
        note,
        ...(way === 'accept' && effect ? { amount_minor: effect.minor } : {}),
      }),
    )
    if (!done) return
    setWaits((done.waits?.length ?? 0) > 0)
    refreshPage()
  }

  return (
    <section className="panel">
      <form className="stack" onSubmit={(event) => void decide(event)}>
        <h2>{t('console.cases.decide')}</h2>
        <Ways mayReplace={data.mayReplace} chosen={way} choose={setWay} />
        {data.templates.length > 0 && (
          <TemplateChoice templates={data.templates} choose={setNote} />
        )}
        <TextField
          label={t('console.cases.note')}
          rows={4}
          value={note}
          max={2_000}
          write={setNote}
          fault={attempt.fields['note']}
          required
        />
        <WayEffect way={way} refund={effect} />
        <Fault text={attempt.fault ?? (way === 'accept' ? refusal : null)} />
        {waits && <Asked />}
        <button
          type="submit"
          className={way === 'accept' ? 'btn pay block' : 'btn solid block'}
          disabled={attempt.isBusy || (way === 'accept' && effect === null)}
        >
          {way === 'accept' && effect?.needsSecondPerson
            ? t('console.askApproval')
            : t(`console.cases.do.${way}`)}
        </button>
      </form>
    </section>
  )
}

function Ways({
  mayReplace,
  chosen,
  choose,
}: {
  readonly mayReplace: boolean
  readonly chosen: Way
  readonly choose: (way: Way) => void
}) {
  const t = useT()
  const ways: readonly Way[] = [...(mayReplace ? (['replace'] as const) : []), 'accept', 'decline']
  return (
    <fieldset className="pick-l">
      <legend className="sr">{t('console.cases.decide')}</legend>
      {ways.map((one) => (
        <label key={one}>
          <input type="radio" name="way" checked={chosen === one} onChange={() => choose(one)} />
          <span>
            <b>{t(`console.cases.way.${one}`)}</b>
            <small>{t(`console.cases.wayText.${one}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Chosen, an answer is only a start of the note: the choice stands empty again. */
function TemplateChoice({
  templates,
  choose,
}: {
  readonly templates: CaseData['templates']
  readonly choose: (text: string) => void
}) {
  const t = useT()
  return (
    <Choice
      label={t('console.cases.template')}
      value=""
      options={[
        { value: '', text: t('console.cases.chooseTemplate') },
        ...templates.map(({ id, name }) => ({ value: id, text: name })),
      ]}
      choose={(chosen) => {
        const template = templates.find(({ id }) => id === chosen)
        if (template) choose(template.text)
      }}
    />
  )
}

function WayEffect({
  way,
  refund,
}: {
  readonly way: Way
  readonly refund: CaseData['refund']['effect']
}) {
  const t = useT()
  const moved = way === 'accept' ? refund : null
  return (
    <section className="fx" aria-live="polite">
      <h3>{t('console.effect')}</h3>
      <ul>
        <li>
          <span>{t(`console.cases.effect.${way}`)}</span>
          {moved && (
            <span className="moved">
              <bdi>{moved.amount}</bdi>
            </span>
          )}
        </li>
        {moved && (
          <li>
            <span>{t(`console.cases.to.${moved.to}`)}</span>
          </li>
        )}
        {moved?.needsSecondPerson && (
          <li>
            <span>{t('console.customer.secondPerson')}</span>
          </li>
        )}
      </ul>
    </section>
  )
}

function Asked() {
  const t = useT()
  return (
    <p className="note" role="status">
      {t('console.customer.asked')}{' '}
      <a className="link" href={`${CONSOLE_PATH}/approvals`}>
        {t('console.approvals.nav')}
      </a>
    </p>
  )
}
