/**
 * Finds the known name of which another one is probably a misspelling: both begin with the same three characters, and differ
 * by one insertion, deletion, replacement or swap of neighbors, or by two from ten characters on.
 */
export function findClosestName(name: string, known: Iterable<string>): string | undefined {
  const most = name.length < 10 ? 1 : 2
  let closest: string | undefined
  let least = most + 1
  for (const one of known) {
    if (one.slice(0, 3) !== name.slice(0, 3) || Math.abs(one.length - name.length) > most) continue
    const distance = countEdits(one, name)
    if (distance < least) [closest, least] = [one, distance]
  }
  return closest
}

/** Counts the edits between two short texts: the optimal string alignment distance. */
function countEdits(one: string, other: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          row > 1 && column > 1 && isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[other.length] ?? 0
}
