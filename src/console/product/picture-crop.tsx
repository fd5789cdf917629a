import { useId, useRef, useState, type PointerEvent } from 'react'
import { useT } from '../words.tsx'
import { sentAddress } from './picture-shown.tsx'
import type { Crop } from './pictures-view.ts'

type Area = NonNullable<Crop['1:1']>
const WHOLE = 10_000
const CLOSEST = 400
/** Narrower than it is shown on most screens. */
const SHARP_PIXELS = 480
const PROPORTIONS = { '3:4': 3 / 4, '1:1': 1 } as const
type Ratio = keyof typeof PROPORTIONS

interface Size {
  readonly width: number
  readonly height: number
}

/** What is shown of a picture at each ratio: dragged by finger or pointer, or moved by sliders. */
export function CropChoice({
  file,
  crop,
  write,
}: {
  readonly file: string
  readonly crop: Crop | undefined
  readonly write: (crop: Crop) => void
}) {
  const t = useT()
  const [size, setSize] = useState<Size | null>(null)
  return (
    <div className="stack-2">
      <h3>{t('console.pictures.crop')}</h3>
      <p className="hint">{t('console.pictures.cropHint')}</p>
      <div className="crops">
        {(['3:4', '1:1'] as const).map((ratio) => (
          <Cropper
            key={ratio}
            {...{ file, ratio, size, setSize }}
            area={crop?.[ratio]}
            write={(area) => write({ ...crop, [ratio]: area })}
          />
        ))}
      </div>
    </div>
  )
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))

/** As much of a picture as there is at a ratio. */
function mostOf({ width, height }: Size, ratio: Ratio): Pick<Area, 'width' | 'height'> {
  const proportion = PROPORTIONS[ratio]
  return {
    width: Math.min(WHOLE, Math.floor((WHOLE * height * proportion) / width)),
    height: Math.min(WHOLE, Math.floor((WHOLE * width) / proportion / height)),
  }
}

interface CropperProps {
  readonly file: string
  readonly ratio: Ratio
  readonly size: Size | null
  readonly setSize: (size: Size) => void
  readonly area: Area | undefined
  readonly write: (area: Area) => void
}

function Cropper({ file, ratio, size, setSize, area, write }: CropperProps) {
  const t = useT()
  const stage = useRef<HTMLDivElement>(null)
  const name = t(ratio === '3:4' ? 'console.pictures.upright' : 'console.pictures.square')
  const most = size && mostOf(size, ratio)
  const shown: Area | null = area ?? (most && middle(most))
  return (
    <fieldset className="cropper stack-2">
      <legend>{name}</legend>
      <div className="stage" dir="ltr" ref={stage}>
        <img
          src={sentAddress(file)}
          alt=""
          ref={(image) => {
            if (image?.complete && image.naturalWidth > 0 && size === null) setSize(sizeOf(image))
          }}
          onLoad={(event) => setSize(sizeOf(event.currentTarget))}
        />
        {shown && <Frame area={shown} stage={stage} write={write} />}
      </div>
      {shown && most && size && (
        <Sliders area={shown} most={most} name={name} write={write} width={size.width} />
      )}
    </fieldset>
  )
}

const sizeOf = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => ({
  width,
  height,
})

const middle = ({ width, height }: Pick<Area, 'width' | 'height'>): Area => ({
  x: Math.floor((WHOLE - width) / 2),
  y: Math.floor((WHOLE - height) / 2),
  width,
  height,
})

/** The frame over the picture; sliders do the same for whoever has no pointer. */
function Frame({
  area,
  stage,
  write,
}: {
  readonly area: Area
  readonly stage: { readonly current: HTMLDivElement | null }
  readonly write: (area: Area) => void
}) {
  const from = useRef<{ readonly x: number; readonly y: number; readonly area: Area } | null>(null)
  const share = (part: number) => `${part / 100}%`
  function move(event: PointerEvent) {
    const box = stage.current?.getBoundingClientRect()
    if (!from.current || !box) return
    const { x, y, area: begun } = from.current
    write({
      ...begun,
      x: clamp(begun.x + ((event.clientX - x) / box.width) * WHOLE, WHOLE - begun.width),
      y: clamp(begun.y + ((event.clientY - y) / box.height) * WHOLE, WHOLE - begun.height),
    })
  }
  return (
    <div
      className="frame"
      style={{
        insetInlineStart: share(area.x),
        insetBlockStart: share(area.y),
        inlineSize: share(area.width),
        blockSize: share(area.height),
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, y: event.clientY, area }
      }}
      onPointerMove={move}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
    />
  )
}

/** Where the frame stands, and how close it is. */
function Sliders({
  area,
  most,
  name,
  write,
  width,
}: {
  readonly area: Area
  readonly most: Pick<Area, 'width' | 'height'>
  readonly name: string
  readonly write: (area: Area) => void
  readonly width: number
}) {
  const t = useT()
  const zoom = Math.min(CLOSEST, Math.max(100, Math.round((most.width / area.width) * 100)))
  function closer(to: number) {
    const size = {
      width: Math.floor((most.width * 100) / to),
      height: Math.floor((most.height * 100) / to),
    }
    const along = (start: number, before: number, after: number) =>
      clamp(start + (before - after) / 2, WHOLE - after)
    write({
      x: along(area.x, area.width, size.width),
      y: along(area.y, area.height, size.height),
      ...size,
    })
  }
  const isBlurred = (area.width / WHOLE) * width < SHARP_PIXELS
  return (
    <>
      <Slider
        label={t('console.pictures.across')}
        of={name}
        most={WHOLE - area.width}
        value={area.x}
        write={(x) => write({ ...area, x })}
        isAlong
      />
      <Slider
        label={t('console.pictures.down')}
        of={name}
        most={WHOLE - area.height}
        value={area.y}
        write={(y) => write({ ...area, y })}
      />
      <Slider
        label={t('console.pictures.closer')}
        of={name}
        least={100}
        most={CLOSEST}
        value={zoom}
        write={closer}
      />
      {isBlurred && <p className="hint warn-t">{t('console.pictures.blurred')}</p>}
    </>
  )
}

const STEPS = 50

function Slider({
  label,
  of,
  least = 0,
  most,
  value,
  write,
  isAlong = false,
}: {
  readonly label: string
  /** What it is of, for whoever does not see where it stands. */
  readonly of: string
  readonly least?: number
  readonly most: number
  readonly value: number
  readonly write: (value: number) => void
  /** From the left of the picture to its right, whichever way the page runs. */
  readonly isAlong?: boolean
}) {
  const id = useId()
  const step = Math.max(1, Math.round((most - least) / STEPS))
  return (
    <div className="slide">
      <label htmlFor={id}>
        {label} <span className="sr">{of}</span>
      </label>
      <input
        id={id}
        type="range"
        dir={isAlong ? 'ltr' : undefined}
        min={least}
        max={Math.max(least, most)}
        step={step}
        value={value}
        disabled={most <= least}
        onChange={(event) => write(Math.min(most, Number(event.target.value)))}
      />
    </div>
  )
}
