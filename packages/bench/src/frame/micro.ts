import { requireAgreement } from './agree.ts'
import { alternate } from './alternate.ts'
import { checkDeclaration, type Benchmark, type Declaration, type Sample, type Side } from './benchmark.ts'

/** One call; when it answers with a promise, the next one waits for it. */
export type Call = () => unknown

export interface MicroSide<Shared> extends Side {
  readonly setup: (shared: Shared) => Call | Promise<Call>
}

export interface MicroOptions<Shared> extends Declaration<MicroSide<Shared>> {
  /** Makes what all sides use. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Takes it away again. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** How many operations a call is. @default 1 */
  readonly operations?: number
  /** What all sides have to agree on, of the result of a first call. @default nothing */
  readonly agree?: (result: unknown) => unknown
}

/** Enough for a median that the odd disturbed turn does not move. */
const defaultRounds = 21
const defaultTurnMs = 100

/**
 * Declares a comparison of functions within one process.
 *
 * Measures throughput, garbage collection included: as many calls as fill a turn, timed as a whole, so that the clock
 * costs nothing. The libraries for this (mitata, tinybench) run one side to its end before they begin the next.
 *
 * @throws TypeError for a declaration that contradicts itself
 */
export function defineMicro<Shared>(options: MicroOptions<Shared>): Benchmark {
  checkDeclaration(options)
  const { sides, prepare, release, operations = 1, agree } = options
  return {
    ...options,
    unit: 'operations/s',
    async measure({ rounds = defaultRounds, turnMs = defaultTurnMs }) {
      const shared = await prepare()
      try {
        const calls: { side: string; call: Call }[] = []
        for (const { name, setup } of sides) calls.push({ side: name, call: await setup(shared) })
        if (agree !== undefined) {
          const results = []
          for (const { side, call } of calls) results.push({ side, result: agree(await call()) })
          requireAgreement(results)
        }
        const ready = []
        for (const { call } of calls) ready.push({ call, count: await countFor(call, turnMs) })
        return await alternate(ready, rounds, async ({ call, count }): Promise<Sample> => {
          // What one side leaves behind is not collected on another's time.
          globalThis.gc?.()
          // That shrinks the young generation and forgets code: both come back before anything is timed.
          await time(call, Math.ceil(count / 4))
          return { value: (count * operations * 1000) / (await time(call, count)) }
        })
      } finally {
        await release?.(shared)
      }
    },
  }
}

/** How many calls fill a turn. Finding out compiles and warms what is called. */
async function countFor(call: Call, turnMs: number): Promise<number> {
  for (let count = 1; ; count *= 2) {
    const taken = await time(call, count)
    if (taken >= turnMs) return Math.max(1, Math.round((count * turnMs) / taken))
  }
}

/** In milliseconds. */
async function time(call: Call, count: number): Promise<number> {
  const start = performance.now()
  for (let done = 0; done < count; done++) {
    const result = call()
    if (result instanceof Promise) await result
    sink.last = result
  }
  return performance.now() - start
}

// The last result goes where it could be looked at, so that no call can be left out.
const sink: { last?: unknown } = {}
