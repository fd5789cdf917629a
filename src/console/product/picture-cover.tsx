import { useEffect, useId, useState } from 'react'
import { readConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField, TextField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { drawingAddress } from './picture-shown.tsx'
import type { Cover } from './pictures-view.ts'

interface Choices {
  readonly motifs: readonly { readonly name: string; readonly svg: string }[]
  readonly palettes: readonly {
    readonly inks: readonly string[]
    readonly colours: readonly string[]
  }[]
}

type Design = NonNullable<Cover['design']>
const TAG_MAX = 8
const LINES_MAX = 4
const LETTERING_MAX = 160

/** The same without what follows from another motif, or other colours: the shop's rule chooses it anew. */
function without(design: Design, names: readonly (keyof Design)[]): Design {
  return Object.fromEntries(
    Object.entries(design).filter(([name]) => !names.some((one) => one === name)),
  )
}

/** What a drawn cover shows: its motif, its colours, its lettering and its tag. */
export function CoverChoice({
  cover,
  faults,
  write,
}: {
  readonly cover: Cover
  readonly faults: Readonly<Record<string, string>>
  readonly write: (cover: Cover) => void
}) {
  const t = useT()
  const { choices, fault } = useChoices()
  const { design = {}, tag, ...rest } = cover
  const said = (to: Partial<Cover>) => write({ ...rest, design, ...(tag ? { tag } : {}), ...to })
  const [lettering, setLettering] = useState((design.lines ?? []).join('\n'))
  function letter(text: string) {
    setLettering(text)
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const bare = without(design, ['lines'])
    said({ design: lines.length === 0 ? bare : { ...bare, lines: lines.slice(0, LINES_MAX) } })
  }
  const faultOf = (part: string) =>
    Object.entries(faults).find(([field]) => field.includes(part))?.[1]
  return (
    <div className="stack-2">
      <Fault text={fault} />
      {choices && <Looks choices={choices} design={design} write={(to) => said({ design: to })} />}
      <div className="row wrapx top">
        <TextField
          label={t('console.pictures.lettering')}
          hint={t('console.pictures.letteringHint')}
          value={lettering}
          max={LETTERING_MAX}
          write={letter}
          fault={faultOf('lines')}
        />
        <LineField
          label={t('console.pictures.tag')}
          hint={t('console.pictures.tagHint')}
          value={tag ?? ''}
          max={TAG_MAX}
          write={(to) => write({ ...rest, design, ...(to === '' ? {} : { tag: to }) })}
          fault={faultOf('tag')}
        />
      </div>
    </div>
  )
}

/** Its motif and its colours. */
function Looks({
  choices,
  design,
  write,
}: {
  readonly choices: Choices
  readonly design: Design
  readonly write: (design: Design) => void
}) {
  return (
    <>
      <Motifs
        motifs={choices.motifs}
        chosen={design.motif}
        choose={(motif) =>
          write({
            ...without(design, ['layout', 'title', 'ground', 'ink']),
            motif: motif as NonNullable<Design['motif']>,
          })
        }
      />
      <Palettes
        palettes={choices.palettes}
        chosen={design.inks?.join() ?? ''}
        choose={(inks) =>
          write({
            ...without(design, ['ink']),
            inks: [...inks] as NonNullable<Design['inks']>,
          })
        }
      />
    </>
  )
}

/** What there is to choose from, fetched once somebody chooses. */
function useChoices() {
  const attempt = useAttempt()
  const [choices, setChoices] = useState<Choices | null>(null)
  useEffect(() => {
    void attempt
      .run(() => readConsole<Choices>('goods/cover/choices'))
      .then((found) => found && setChoices(found))
    // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once.
  }, [])
  return { choices, fault: attempt.fault }
}

/** What is chosen is seen without looking for it; the page stays where it is. */
function showChosen(list: HTMLElement | null): void {
  const chosen = list?.querySelector<HTMLElement>('.motif:has(:checked)')
  if (list && chosen) list.scrollTop = chosen.offsetTop - list.clientHeight / 2
}

function Motifs({
  motifs,
  chosen,
  choose,
}: {
  readonly motifs: Choices['motifs']
  readonly chosen: string | undefined
  readonly choose: (name: string) => void
}) {
  const t = useT()
  const group = useId()
  return (
    <fieldset className="tiles-f">
      <legend>{t('console.pictures.motif')}</legend>
      <div className="motifs" ref={showChosen}>
        {motifs.map(({ name, svg }, at) => (
          <label key={name} className="motif">
            <input
              type="radio"
              name={group}
              checked={name === chosen}
              onChange={() => choose(name)}
            />
            <img
              src={drawingAddress(svg)}
              alt={t('console.pictures.motifNumber', { number: at + 1 })}
              width="48"
              height="48"
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Palettes({
  palettes,
  chosen,
  choose,
}: {
  readonly palettes: Choices['palettes']
  readonly chosen: string
  readonly choose: (inks: readonly string[]) => void
}) {
  const t = useT()
  const group = useId()
  return (
    <fieldset className="tiles-f">
      <legend>{t('console.pictures.inks')}</legend>
      <div className="motifs inks" ref={showChosen}>
        {palettes.map(({ inks, colours }, at) => (
          <label key={inks.join()} className="motif">
            <input
              type="radio"
              name={group}
              checked={inks.join() === chosen}
              onChange={() => choose(inks)}
            />
            <span className="swatches" aria-hidden="true">
              {colours.map((colour, place) => (
                <i key={place} style={{ background: colour }} />
              ))}
            </span>
            <span className="sr">{t('console.pictures.inksNumber', { number: at + 1 })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
