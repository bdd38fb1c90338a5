/**
 * Gives each side one turn a round: A B A B. Whatever the machine does meanwhile, it does to all of them.
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
    for (const [index, side] of sides.entries()) samples[index]?.push(await turn(side))
  }
  return samples
}
