/** `over`: there is no time left for more, or no use in it. */
export type PartOutcome = 'answered' | 'rejected' | 'over'

/**
 * Halves a batch that was rejected as a whole, until what it is rejected for stands alone.
 *
 * It goes down to the youngest piece first, because what has failed before is older and stands in front. Where more parts in
 * a row are rejected than that piece and its neighbour can be the cause of, it goes on with the largest. Where these are
 * rejected as often, whoever is asked is away.
 *
 * @param attempt tries the pieces from one index up to another
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html BisectBatchOnFunctionError
 */
export async function bisect(
  size: number,
  attempt: (from: number, to: number) => Promise<PartOutcome>,
): Promise<void> {
  const explained = Math.ceil(Math.log2(size)) + 1
  // The smallest and youngest stands last, and the largest first.
  const parts = halvesOf(0, size)
  let rejectedInRow = 0
  while (rejectedInRow < 2 * explained) {
    const part = rejectedInRow < explained ? parts.pop() : parts.shift()
    if (part === undefined) return
    const outcome = await attempt(...part)
    if (outcome === 'over') return
    if (outcome === 'rejected') {
      rejectedInRow++
      parts.push(...halvesOf(...part))
    } else rejectedInRow = 0
  }
}

function halvesOf(from: number, to: number): [number, number][] {
  if (to - from < 2) return []
  const middle = (from + to) >> 1
  return [
    [from, middle],
    [middle, to],
  ]
}
