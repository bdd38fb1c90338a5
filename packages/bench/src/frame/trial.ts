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
  /** Runs one turn: sets up, measures and cleans up. The sample contains only the measurement. */
  readonly turn: (shared: Shared, turnMs: number) => Promise<Sample>
}

export interface TrialOptions<Shared> extends Declaration<TrialSide<Shared>> {
  readonly unit: Unit
  /** Prepares what all sides share. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Releases what `prepare` returned. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** @default 5 */
  readonly rounds?: number
}

/** The turn duration at which a trial has its full size. Shorter turns scale the size down. */
export const fullTurnMs = 4000

/**
 * Declares a comparison of turns that measure themselves, such as draining a backlog or starting a server.
 *
 * @throws TypeError for an invalid declaration
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
