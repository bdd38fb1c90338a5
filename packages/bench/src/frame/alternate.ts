/**
 * Gives each side one turn per round, so that disturbances of the machine affect all sides.
 *
 * The order changes in every round, because a side can influence the next one, for example by garbage or by the CPU
 * temperature.
 *
 * @returns the samples of each side, one per round
 */
export async function alternate<Side, Sample>(
  sides: readonly Side[],
  rounds: number,
  turn: (side: Side) => Promise<Sample>,
): Promise<readonly (readonly Sample[])[]> {
  const samples = sides.map((): Sample[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const index of getOrder(round, sides.length)) samples[index]?.push(await turn(sides[index] as Side))
  }
  return samples
}

/**
 * Returns the order of a round: a row of a Williams square. Over all rows, every side follows every other one equally
 * often. An odd number of sides also needs the mirrored rows.
 */
function getOrder(round: number, sides: number): readonly number[] {
  const order = Array.from({ length: sides }, (_, position) => {
    const zigzag = position % 2 === 0 ? sides - position / 2 : (position + 1) / 2
    return (zigzag + round) % sides
  })
  return Math.floor(round / sides) % 2 === 0 ? order : order.reverse()
}
