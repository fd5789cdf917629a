import { scaleLinear, scalePoint } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { useEffect, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { useConsoleWords, useT } from '../words.tsx'
import type { ChartLines, Line } from './chart.ts'

interface Size {
  readonly width: number
  readonly height: number
  /** Moments that are written below. */
  readonly labels: number
}

/** Drawn anew for a phone, never shrunk. */
const WIDE: Size = { width: 720, height: 236, labels: 5 }
const NARROW: Size = { width: 350, height: 190, labels: 3 }
const MARGIN = { top: 12, bottom: 24, axis: 52, end: 10 }

/** Lines over time with what they say as a table below. Arrow keys walk the points and speak them. */
export function LineChart({ chart }: { readonly chart: ChartLines }) {
  const t = useT()
  const { dir } = useConsoleWords()
  const [at, setAt] = useState<number | null>(null)
  const [isAlive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  const last = chart.moments.length - 1
  const shown = Math.min(at ?? lastDrawn(chart), last)
  const walk = (event: KeyboardEvent) => {
    const step = stepOf(event.key, dir)
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : shown + step
    if (step === 0 && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    setAt(Math.max(0, Math.min(last, next)))
  }
  const spoken = spokenOf(chart, shown)
  const slider = isAlive
    ? ({
        role: 'slider',
        tabIndex: 0,
        'aria-label': t('console.home.walk'),
        'aria-valuemin': 0,
        'aria-valuemax': last,
        'aria-valuenow': shown,
        'aria-valuetext': spoken,
        onKeyDown: walk,
        onBlur: () => setAt(null),
      } as const)
    : {}
  return (
    <>
      <Legend chart={chart} at={at} />
      <div className="plot" {...slider}>
        {([WIDE, NARROW] as const).map((size) => (
          <div key={size.width} className={size === WIDE ? 'hide-s' : 'show-s'}>
            <Plot chart={chart} size={size} at={at} isRtl={dir === 'rtl'} onPoint={setAt} />
          </div>
        ))}
      </div>
      <details className="astable">
        <summary>
          {t('console.home.asTable')} <Icon name="down" />
        </summary>
        <Table chart={chart} />
      </details>
    </>
  )
}

/** The next point lies where time runs to. */
function stepOf(key: string, dir: 'ltr' | 'rtl'): number {
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward || key === 'ArrowUp') return 1
  return key === back || key === 'ArrowDown' ? -1 : 0
}

const lastDrawn = ({ lines }: ChartLines) =>
  Math.max(0, lines[0]?.values.findLastIndex((value) => value !== null) ?? 0)

const spokenOf = ({ moments, lines }: ChartLines, at: number) =>
  [moments[at] ?? '', ...lines.map(({ name, texts }) => `${name}: ${texts[at] ?? ''}`)].join(', ')

/** What the lines are, and what they say at the point that is looked at: in the same row, so that nothing moves. */
function Legend({ chart, at }: { readonly chart: ChartLines; readonly at: number | null }) {
  return (
    <p className="legend">
      {at !== null && <b className="when">{chart.moments[at]}</b>}
      {chart.lines.map(({ name, look, texts }) => (
        <span key={name} className={look}>
          {name}
          {at !== null && (
            <>
              {' '}
              <bdi>{texts[at]}</bdi>
            </>
          )}
        </span>
      ))}
    </p>
  )
}

function Plot({
  chart,
  size: { width, height, labels },
  at,
  isRtl,
  onPoint,
}: {
  readonly chart: ChartLines
  readonly size: Size
  readonly at: number | null
  readonly isRtl: boolean
  readonly onPoint: (at: number | null) => void
}) {
  const count = chart.moments.length
  const [from, to] = [MARGIN.axis, width - MARGIN.end]
  const places = scalePoint({
    domain: [...chart.moments.keys()],
    range: isRtl ? [width - from, width - to] : [from, to],
  })
  const y = scaleLinear({
    domain: [chart.from, chart.to],
    range: [height - MARGIN.bottom, MARGIN.top],
  })
  const x = (index: number) => places(index) ?? 0
  const move = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const across = ((clientX - box.left) / box.width) * width
    const along = (isRtl ? width - across : across) - from
    const index = Math.round((along / (to - from)) * (count - 1))
    onPoint(Math.max(0, Math.min(count - 1, index)))
  }
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={chart.sentence}
      onPointerMove={move}
      onPointerLeave={() => onPoint(null)}
    >
      {chart.ticks.map((tick) => (
        <g key={tick.at}>
          <path className="gl" d={`M${x(0)} ${y(tick.at)}H${x(count - 1)}`} />
          <text x={isRtl ? width - from + 8 : from - 8} y={y(tick.at) + 4} textAnchor="end">
            {tick.text}
          </text>
        </g>
      ))}
      {labelled(count, labels).map((index, place, all) => (
        <text
          key={index}
          x={x(index)}
          y={height - 6}
          textAnchor={place === 0 ? 'start' : place === all.length - 1 ? 'end' : 'middle'}
        >
          {chart.labels[index]}
        </text>
      ))}
      {chart.lines.toReversed().map((line) => (
        <Drawn key={line.name} line={line} running={chart.running} x={x} y={y} />
      ))}
      <Mark chart={chart} at={at} x={x} y={y} bottom={height - MARGIN.bottom} />
    </svg>
  )
}

/** So many points, evenly apart, with the first and the last. */
function labelled(count: number, labels: number): number[] {
  const wanted = Math.min(count, labels)
  if (wanted < 2) return [0]
  const all = Array.from({ length: wanted }, (_, place) =>
    Math.round((place * (count - 1)) / (wanted - 1)),
  )
  return [...new Set(all)]
}

type Scale = ReturnType<typeof scaleLinear<number>>

interface Placed {
  readonly x: (index: number) => number
  readonly y: Scale
}

/** A line up to what is over, and a dotted one to where it stands now. */
function Drawn({
  line,
  running,
  x,
  y,
}: Placed & { readonly line: Line; readonly running: number }) {
  const points = line.values.map((value, index) => ({ value, index }))
  const isOver = line.look === 'before'
  const over = isOver ? points : points.slice(0, running)
  const of = {
    data: over,
    x: ({ index }: (typeof points)[number]) => x(index),
    y: ({ value }: (typeof points)[number]) => y(value ?? 0),
    defined: ({ value }: (typeof points)[number]) => value !== null,
  }
  return (
    <>
      {line.look === 'sales' && <AreaClosed {...of} yScale={y} className="area" />}
      <LinePath {...of} className={`line ${line.look}`} fill="none" />
      {!isOver && (
        <LinePath
          {...of}
          data={points.slice(Math.max(0, running - 1), running + 1)}
          className={`line ${line.look} running`}
          fill="none"
        />
      )}
    </>
  )
}

/** A ring at the last point, or at the one that is looked at. */
function Mark({
  chart,
  at,
  x,
  y,
  bottom,
}: Placed & { readonly chart: ChartLines; readonly at: number | null; readonly bottom: number }) {
  const index = at ?? lastDrawn(chart)
  return (
    <>
      {at !== null && <path className="ax" d={`M${x(index)} ${MARGIN.top}V${bottom}`} />}
      {chart.lines.map(({ name, look, values }) => {
        const value = values[index]
        const isShown = value !== null && value !== undefined && (at !== null || look !== 'before')
        return isShown ? (
          <circle key={name} className={look} cx={x(index)} cy={y(value)} r={4.5} />
        ) : null
      })}
    </>
  )
}

function Table({ chart }: { readonly chart: ChartLines }) {
  const t = useT()
  return (
    <div className="scrollx" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{t('console.home.moment')}</th>
            {chart.lines.map(({ name }) => (
              <th key={name} className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chart.moments.map((moment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place; two hours of a long day have the same name
            <tr key={index}>
              <th scope="row">{moment}</th>
              {chart.lines.map(({ name, texts }) => (
                <td key={name} className="num">
                  <bdi>{texts[index]}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
