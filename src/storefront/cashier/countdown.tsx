import { useEffect, useState } from 'react'
import { refreshPage } from '../state/refresh.ts'
import css from './countdown.module.css'

/** Seconds left of a span, counted down once the application is alive. */
function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const began = performance.now()
    const tick = () =>
      setLeft(Math.max(0, seconds - Math.floor((performance.now() - began) / 1_000)))
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}

/**
 * Minutes and seconds under their label; at the end the page is loaded anew, which then says what became of the order. Without
 * script it would stand still, so it is not there.
 */
export function Countdown({
  label,
  seconds,
}: {
  readonly label: string
  readonly seconds: number
}) {
  const left = useSecondsLeft(seconds)
  useEffect(() => {
    if (left === 0) refreshPage()
  }, [left])
  return (
    <p className={css.countdown} role="timer">
      <span className="small muted">{label}</span>
      <b
        className="num"
        dir="ltr"
      >{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</b>
    </p>
  )
}
