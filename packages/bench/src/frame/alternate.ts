/**
 * Gives each side one turn a round. Whatever the machine does meanwhile, it does to all of them.
 *
 * The order changes from round to round, so that nobody always comes behind the same side: one that leaves threads
 * asleep, a heap to collect or a hot processor would favour or burden the next.
 *
 * @returns for each side, in their order, a sample of each round
 */
export async function alternate<Side, Sample>(
  sides: readonly Side[],
  rounds: number,
  turn: (side: Side) => Promise<Sample>,
): Promise<readonly (readonly Sample[])[]> {
  const samples = sides.map((): Sample[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const index of orderOf(round, sides.length)) samples[index]?.push(await turn(sides[index] as Side))
  }
  return samples
}

/**
 * The order of a round: rows of a Williams square, in which everybody stands behind everybody else equally often once
 * all rows have come. For an odd number of sides it takes the mirrored rows as well.
 */
function orderOf(round: number, sides: number): readonly number[] {
  const order = Array.from({ length: sides }, (_, place) => {
    const zigzag = place % 2 === 0 ? sides - place / 2 : (place + 1) / 2
    return (zigzag + round) % sides
  })
  return Math.floor(round / sides) % 2 === 0 ? order : order.reverse()
}
