const FIRST_SIZE = 1_024

/**
 * Which line of a file a keyed hash was met at first, for millions of them: eight bytes of each hash and four of the line stand in flat
 * arrays, a tenth of what a map of texts would take.
 */
export class SeenLines {
  #size = FIRST_SIZE
  #count = 0
  #low = new Uint32Array(FIRST_SIZE)
  #high = new Uint32Array(FIRST_SIZE)
  /** Zero is an empty place: lines count from one. */
  #lines = new Uint32Array(FIRST_SIZE)

  /** The line that a hash was met at before; 0 where it is met now, at `line`. */
  meet(hash: Buffer, line: number): number {
    if (this.#count * 2 >= this.#size) this.#grow()
    const [low, high] = [hash.readUInt32LE(0), hash.readUInt32LE(4)]
    const at = this.#placeOf(low, high)
    const before = this.#lines[at] ?? 0
    if (before === 0) {
      this.#put(at, low, high, line)
      this.#count += 1
    }
    return before
  }

  #placeOf(low: number, high: number): number {
    const mask = this.#size - 1
    let at = low & mask
    while (this.#lines[at] !== 0 && (this.#low[at] !== low || this.#high[at] !== high))
      at = (at + 1) & mask
    return at
  }

  #put(at: number, low: number, high: number, line: number): void {
    this.#low[at] = low
    this.#high[at] = high
    this.#lines[at] = line
  }

  #grow(): void {
    const [lows, highs, lines] = [this.#low, this.#high, this.#lines]
    this.#size *= 2
    this.#low = new Uint32Array(this.#size)
    this.#high = new Uint32Array(this.#size)
    this.#lines = new Uint32Array(this.#size)
    for (const [index, line] of lines.entries()) {
      if (line === 0) continue
      const [low, high] = [lows[index] ?? 0, highs[index] ?? 0]
      this.#put(this.#placeOf(low, high), low, high, line)
    }
  }
}
