import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { Icon } from '#ui/icon.tsx'
import { useConsoleWords, useT } from '../words.tsx'
import type { Column, DeliveryView } from './delivery.ts'

const SIZE = { width: 360, height: 188 }
const [TOP, BOTTOM, SIDE] = [26, 24, 8]

/** How long deliveries took, as columns, with their table below. */
export function DeliveryChart({
  delivery: { columns, sentence },
}: {
  readonly delivery: DeliveryView
}) {
  const t = useT()
  const { dir } = useConsoleWords()
  const across = [SIDE, SIZE.width - SIDE]
  const x = scaleBand({
    domain: columns.map(({ label }) => label),
    range: (dir === 'rtl' ? across.toReversed() : across) as [number, number],
    padding: 0.24,
  })
  const y = scaleLinear({
    domain: [0, Math.max(...columns.map(({ share }) => share))],
    range: [SIZE.height - BOTTOM, TOP],
  })
  return (
    <>
      <svg
        className="chart"
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        role="img"
        aria-label={sentence}
      >
        {columns.map((column) => (
          <OneColumn
            key={column.label}
            column={column}
            x={x(column.label) ?? 0}
            width={x.bandwidth()}
            top={y(column.share)}
          />
        ))}
      </svg>
      <details className="astable">
        <summary>
          {t('console.home.asTable')} <Icon name="down" />
        </summary>
        <Table columns={columns} />
      </details>
    </>
  )
}

function OneColumn({
  column,
  x,
  width,
  top,
}: {
  readonly column: Column
  readonly x: number
  readonly width: number
  readonly top: number
}) {
  const foot = SIZE.height - BOTTOM
  return (
    <>
      <Bar className={column.look} x={x} y={top} width={width} height={foot - top} rx={2} />
      <text x={x + width / 2} y={SIZE.height - 8} textAnchor="middle">
        {column.label}
      </text>
      <text x={x + width / 2} y={top - 6} textAnchor="middle">
        {column.text}
      </text>
    </>
  )
}

function Table({ columns }: Pick<DeliveryView, 'columns'>) {
  const t = useT()
  return (
    <table>
      <thead>
        <tr>
          <th>{t('console.home.within')}</th>
          <th className="num">{t('console.home.share')}</th>
          <th className="num">{t('console.home.unitsHead')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ label, text, units }) => (
          <tr key={label}>
            <th scope="row">
              <bdi>{label}</bdi>
            </th>
            <td className="num">{text}</td>
            <td className="num">{units}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
