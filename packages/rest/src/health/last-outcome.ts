/** Remembers whether the last operation on a dependency failed. */
export interface LastOutcome {
  /** Awaits an operation and remembers its outcome. */
  readonly track: <T>(operation: Promise<T>, judge: Judge<T>) => Promise<T>
  /** Whether the last outcome is a failure, and not older than the window. */
  readonly isFailing: () => boolean
}

/** Decides what an operation says about its dependency; undefined for nothing. */
export interface Judge<T> {
  readonly resolved: (value: T) => 'ok' | 'failed' | undefined
  readonly rejected: (error: unknown) => 'failed' | undefined
}

/**
 * Tracks the outcome of the last operation for `windowMs` milliseconds. A failure ends with the next success, or with the
 * window: a process that is taken out of rotation gets no operation that could succeed.
 */
export function createLastOutcome(windowMs: number, now = () => performance.now()): LastOutcome {
  let failedAt: number | undefined
  const set = (outcome: 'ok' | 'failed' | undefined) => {
    if (outcome !== undefined) failedAt = outcome === 'failed' ? now() : undefined
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
    isFailing: () => failedAt !== undefined && now() - failedAt <= windowMs,
  }
}
