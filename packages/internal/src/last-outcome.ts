import { describeFailure } from './describe-failure.ts'

/** Returns the code of an error, or its name. */
export const toCode = (error: unknown): string => describeFailure(error).split(' ').at(-1) ?? 'Error'

/** Remembers whether the last operation on a dependency failed. */
export interface LastOutcome {
  /** Awaits an operation and remembers its outcome. */
  readonly track: <T>(operation: Promise<T>, judge: Judge<T>) => Promise<T>
  /** Why the last operation failed, if it did, and not longer ago than the window. */
  readonly getFailure: () => string | undefined
}

type Outcome = 'ok' | { readonly failure: string } | undefined

/** Decides what an operation says about its dependency; undefined for nothing. */
export interface Judge<T> {
  readonly resolved: (value: T) => Outcome
  readonly rejected: (error: unknown) => Outcome
}

/**
 * Tracks the outcome of the last operation for `windowMs` milliseconds. A failure ends with the next success, or with the
 * window: a process that is taken out of rotation gets no operation that could succeed.
 */
export function createLastOutcome(windowMs: number, now = () => performance.now()): LastOutcome {
  let failed: { readonly failure: string; readonly at: number } | undefined
  const set = (outcome: Outcome) => {
    if (outcome !== undefined) failed = outcome === 'ok' ? undefined : { ...outcome, at: now() }
  }
  return {
    async track(operation, { resolved, rejected }) {
      try {
        const value = await operation
        set(resolved(value))
        return value
      } catch (error) {
        set(rejected(error))
        throw error
      }
    },
    getFailure: () => (failed !== undefined && now() - failed.at <= windowMs ? failed.failure : undefined),
  }
}
