import { requireAgreement } from './agree.ts'
import { alternate } from './alternate.ts'
import { checkDeclaration, type Benchmark, type Declaration, type Sample, type Side } from './benchmark.ts'

/** One call. The next call awaits a returned promise. */
export type Call = () => unknown

export interface MicroSide<Shared> extends Side {
  readonly setup: (shared: Shared) => Call | Promise<Call>
}

export interface MicroOptions<Shared> extends Declaration<MicroSide<Shared>> {
  /** Prepares what all sides share. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Releases what `prepare` returned. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** Operations per call. @default 1 */
  readonly operations?: number
  /** Extracts the part of the first result that must be equal for all sides. @default nothing */
  readonly agree?: (result: unknown) => unknown
}

/** Enough rounds for a median that is robust against disturbed turns. */
const defaultRounds = 21
const defaultTurnMs = 100

/**
 * Declares a comparison of functions within one process.
 *
 * Measures throughput including garbage collection. All calls of a turn are timed together, so that the clock has no
 * influence. Libraries such as mitata and tinybench measure the sides one after the other instead of in turns.
 *
 * @throws TypeError for an invalid declaration
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
        for (const { call } of calls) ready.push({ call, count: await calibrate(call, turnMs) })
        return await alternate(ready, rounds, async ({ call, count }): Promise<Sample> => {
          // Collect the garbage of the previous side.
          globalThis.gc?.()
          // The collection shrinks the young generation and discards compiled code, so warm up again.
          await time(call, Math.ceil(count / 4))
          return { value: (count * operations * 1000) / (await time(call, count)) }
        })
      } finally {
        await release?.(shared)
      }
    },
  }
}

/** Returns the number of calls that fill a turn, and warms up the code. */
async function calibrate(call: Call, turnMs: number): Promise<number> {
  for (let count = 1; ; count *= 2) {
    const taken = await time(call, count)
    if (taken >= turnMs) return Math.max(1, Math.round((count * turnMs) / taken))
  }
}

/** Returns the duration of the calls in milliseconds. */
async function time(call: Call, count: number): Promise<number> {
  const start = performance.now()
  for (let done = 0; done < count; done++) {
    const result = call()
    if (result instanceof Promise) await result
    sink.last = result
  }
  return performance.now() - start
}

// Storing the last result prevents the compiler from removing calls.
const sink: { last?: unknown } = {}
