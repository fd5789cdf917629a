import { useEffect, useState } from 'react'
import { encode } from 'uqr'
import { Button } from './button.tsx'
import css from './copy.module.css'
import { Icon } from './icon.tsx'

export interface CopyTexts {
  copy: string
  /** Shown for two seconds after copying. */
  copied: string
}

const SHOWN_MS = 2000

/** Puts a text into the clipboard and says so. Without script it is not there: the text can be marked by hand. */
export function CopyButton({
  text,
  texts,
  framed,
}: {
  text: string
  texts: CopyTexts
  framed?: boolean | undefined
}) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Not allowed here: the text stays to be marked by hand.
    }
  }
  return (
    <Button
      look={framed ? 'edge' : 'ghost'}
      className={css.button}
      onClick={() => void copy()}
      data-replay=""
    >
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? texts.copied : texts.copy}</span>
    </Button>
  )
}

/** A secret, number or address in one framed line, with its copy button. */
export function CopyLine({ text, texts }: { text: string; texts: CopyTexts }) {
  return (
    <div className={css.line}>
      <code className="mono">{text}</code>
      <CopyButton text={text} texts={texts} />
    </div>
  )
}

/** Codes that each open the account once, to be kept elsewhere. */
export function RecoveryCodes({
  label,
  codes,
  texts,
}: {
  label: string
  codes: readonly string[]
  texts: CopyTexts
}) {
  return (
    <div className="stack-s">
      <ol className={css.codes} aria-label={label}>
        {codes.map((code) => (
          <li key={code}>
            <code className="mono">{code}</code>
          </li>
        ))}
      </ol>
      <div>
        <CopyButton text={codes.join('\n')} texts={texts} />
      </div>
    </div>
  )
}

/** Quiet zone of four modules, as the standard asks (ISO/IEC 18004). */
const QUIET = 4

/** QR code of a text, black on white in either theme. `label` says what scanning it does. */
export function QrFigure({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' })
  let path = ''
  data.forEach((row, y) => row.forEach((dark, x) => (path += dark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      className={css.qr}
      viewBox={`0 0 ${size} ${size}`}
      width="208"
      height="208"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
