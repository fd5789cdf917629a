import { useId, useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole, type CallOutcome } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { useEditor } from './editor.tsx'

interface Told {
  readonly hash: string
  readonly to: string
  readonly leading: readonly string[]
}

interface State {
  readonly isBusy: boolean
  readonly told: Told | null
  readonly fault: string | null
  readonly atCode: string | undefined
}

const IDLE: State = { isBusy: false, told: null, fault: null, atCode: undefined }
const CODE_MOST = 100

/** The code that a product's address ends with: told what another would do, changed, and given back. */
export function Address() {
  const t = useT()
  const { data, edits } = useEditor()
  const heading = useId()
  const [code, setCode] = useState(data.code)
  const { isBusy, told, fault, atCode, look, rename, forget } = useRename(data.code)
  const isDirty = edits.all.length > 0
  const isStill = isBusy || isDirty
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>{t('console.product.address')}</h2>
      <p className="hint" dir="ltr">
        {data.shopPath}
      </p>
      {data.mayChange && (
        <>
          <LineField
            label={t('console.product.addressCode')}
            hint={t('console.product.addressHint')}
            value={code}
            max={CODE_MOST}
            write={(text) => {
              forget()
              setCode(text)
            }}
            fault={atCode}
          />
          {isDirty && <p className="hint">{t('console.product.addressUnsaved')}</p>}
          <Fault text={fault} />
          {told && (
            <p className="note" role="status">
              {t('console.product.addressTold', {
                code: told.to,
                former: told.leading.join(', '),
              })}
            </p>
          )}
          <div>
            <button
              type="button"
              className="btn edge sm"
              disabled={isStill || code.trim() === data.code}
              onClick={() => void (told ? rename(told) : look(code.trim()))}
            >
              {t(told ? 'console.product.addressMake' : 'console.product.addressTry')}
            </button>
          </div>
        </>
      )}
      <Former
        codes={data.former}
        isOpen={data.mayChange && !isStill}
        back={(to) => {
          setCode(to)
          void look(to)
        }}
      />
    </section>
  )
}

function Former({
  codes,
  isOpen,
  back,
}: {
  readonly codes: readonly string[]
  readonly isOpen: boolean
  readonly back: (code: string) => void
}) {
  const t = useT()
  const heading = useId()
  if (codes.length === 0) return null
  return (
    <>
      <h3 id={heading}>{t('console.product.addressFormer')}</h3>
      <ul className="stack-2" aria-labelledby={heading}>
        {codes.map((one) => (
          <li className="row between small" key={one}>
            <code dir="ltr">{one}</code>
            {isOpen && (
              <button type="button" className="btn edge sm" onClick={() => back(one)}>
                {t('console.method.undo')}
                <span className="sr"> {one}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Asks what another code would do, and gives it: what was told and nothing else. */
function useRename(from: string) {
  const t = useT()
  const [state, setState] = useState(IDLE)
  async function ask<T>(work: () => Promise<CallOutcome<T>>): Promise<T | null> {
    setState((before) => ({ ...before, isBusy: true, fault: null, atCode: undefined }))
    const outcome = await work().catch(() => null)
    if (outcome?.isDone) return outcome.data
    const atCode = outcome?.fields['to']
    const message = outcome ? outcome.message : t('console.unreachable')
    setState({ ...IDLE, atCode, fault: atCode === undefined ? message : null })
    return null
  }
  return {
    ...state,
    forget: () => setState(IDLE),
    async look(to: string) {
      const told = await ask(() => callConsole<Told>('goods/rename_try', { from, to }))
      if (told) setState({ ...IDLE, told })
    },
    async rename({ to, hash }: Told) {
      const body = { from, to, hash, key: newActKey() }
      const done = await ask(() => callConsole<{ change: string }>('goods/rename', body))
      if (done) location.assign(`${CONSOLE_PATH}/products/${to}`)
    },
  }
}
