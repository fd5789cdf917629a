/**
 * Loaded before a program (`node --import`), it has the machine's clock be wrong by SKEW_MS for that process alone. The steady clock
 * goes on as it is, as on a machine whose clock somebody has set.
 */
const skewMs = Number(process.env.SKEW_MS ?? '0')
const Right = Date
const rightNow = Right.now.bind(Right)

class SkewedDate extends Right {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(rightNow() + skewMs)
    else super(...(given as [number]))
  }
  static override now(): number {
    return rightNow() + skewMs
  }
}

if (skewMs !== 0) globalThis.Date = SkewedDate as DateConstructor
