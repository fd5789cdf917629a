/** A list of unsigned integers that grows by doubling: a tenth of the memory of an array of numbers while building. */
export interface GrowingArray {
  values: Uint32Array
  length: number
}

export function growingArray(): GrowingArray {
  return { values: new Uint32Array(1024), length: 0 }
}

export function append(list: GrowingArray, value: number): void {
  if (list.length === list.values.length) {
    const larger = new Uint32Array(list.values.length * 2)
    larger.set(list.values)
    list.values = larger
  }
  list.values[list.length++] = value
}

/** Bounds of `groups` groups when each `group[i]` names the group of entry i: entry counts summed up. */
export function groupBounds(group: GrowingArray, groups: number): Uint32Array {
  const start = new Uint32Array(groups + 1)
  for (let i = 0; i < group.length; i++) start[(group.values[i] ?? 0) + 1]! += 1
  for (let i = 1; i <= groups; i++) start[i]! += start[i - 1]!
  return start
}
