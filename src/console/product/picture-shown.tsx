import { useEffect, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { useT } from '../words.tsx'
import type { Cover, Crop, Drawn, Said } from './pictures-view.ts'

const RATIOS = [
  { ratio: '3:4', name: 'upright', look: 'cover' },
  { ratio: '1:1', name: 'square', look: 'cover sq' },
] as const

export const sentAddress = (file: string) =>
  `/api/console/goods/picture?file=${encodeURIComponent(file)}`
export const isSent = (file: string) => file.startsWith('sent/')
export const drawingAddress = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** A picture at both ratios that the shop shows it at. */
export function Shown({
  said,
  drawn,
  files,
}: {
  readonly said: Said | null
  readonly drawn: Drawn | null
  readonly files: Drawn
}) {
  const t = useT()
  return (
    <div className="pics">
      {RATIOS.map(({ ratio, name, look }) => (
        <figure key={ratio} className="stack-2">
          <span className={look}>
            {said && 'file' in said && isSent(said.file) ? (
              <Part file={said.file} area={said.crop?.[ratio]} />
            ) : said && 'file' in said ? (
              <img src={files[name]} alt="" width="240" height={name === 'square' ? 240 : 320} />
            ) : (
              drawn && <img src={drawingAddress(drawn[name])} alt="" width="240" height="240" />
            )}
          </span>
          <figcaption className="hint">{t(`console.pictures.${name}`)}</figcaption>
        </figure>
      ))}
    </div>
  )
}

/** The part of a picture that was chosen, else its middle. A picture does not turn with its page. */
function Part({ file, area }: { readonly file: string; readonly area: Crop['1:1'] | undefined }) {
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  return (
    <span className="part" dir="ltr">
      <img
        src={sentAddress(file)}
        alt=""
        style={
          area && {
            inlineSize: share(10_000, area.width),
            blockSize: share(10_000, area.height),
            insetInlineStart: share(-area.x, area.width),
            insetBlockStart: share(-area.y, area.height),
          }
        }
      />
    </span>
  )
}

interface DrawnAnswer extends Drawn {
  readonly cover: Cover
}

const PAUSE_MS = 150

/**
 * A cover as the shop would draw it, drawn by the shop itself a moment after it changed; the last one stays until then.
 * @param known how the shop has it now, where this is it
 */
export function useDrawn(
  cover: Cover | null,
  known: Drawn | null,
): { readonly drawn: Drawn | null; readonly faults: Readonly<Record<string, string>> } {
  const asked = cover && !known ? JSON.stringify(cover) : null
  const [state, setState] = useState<{
    readonly drawn: Drawn | null
    readonly faults: Readonly<Record<string, string>>
  }>({ drawn: known, faults: {} })
  useEffect(() => {
    if (asked === null) return
    let isWanted = true
    const timer = setTimeout(() => {
      const call = { cover: JSON.parse(asked) as Cover }
      void callConsole<DrawnAnswer>('goods/cover', call)
        .then((outcome) => {
          if (!isWanted) return
          if (outcome.isDone) setState({ drawn: outcome.data, faults: {} })
          else setState((before) => ({ ...before, faults: outcome.fields }))
        })
        .catch(() => undefined)
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [asked])
  return known ? { drawn: known, faults: {} } : state
}
