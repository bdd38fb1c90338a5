import { alternate } from './alternate.ts'
import {
  checkDeclaration,
  type Benchmark,
  type Declaration,
  type Sample,
  type Side,
  type Unit,
} from './benchmark.ts'

interface TrialSide<Shared> extends Side {
  /** One turn, which sets up, measures and clears away; only what it measures is in its sample. */
  readonly turn: (shared: Shared, turnMs: number) => Promise<Sample>
}

export interface TrialOptions<Shared> extends Declaration<TrialSide<Shared>> {
  readonly unit: Unit
  /** Makes what all sides use. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Takes it away again. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** @default 5 */
  readonly rounds?: number
}

/** What a turn may take as its size: at the default it does all that the benchmark speaks of. */
export const fullTurnMs = 4000

/**
 * Declares a comparison of turns that measure themselves: a backlog that is drained, a server that starts.
 *
 * @throws TypeError for a declaration that contradicts itself
 */
export function defineTrial<Shared>(options: TrialOptions<Shared>): Benchmark {
  checkDeclaration(options)
  const { sides, prepare, release, rounds: usual = 5 } = options
  return {
    ...options,
    async measure({ rounds = usual, turnMs = fullTurnMs }) {
      const shared = await prepare()
      try {
        return await alternate(sides, rounds, ({ turn }) => turn(shared, turnMs))
      } finally {
        await release?.(shared)
      }
    },
  }
}
