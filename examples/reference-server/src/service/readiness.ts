/** A service that the server needs. */
export interface Dependency {
  readonly name: string
  /** Rejects when the dependency does not answer. */
  readonly ping: () => Promise<unknown>
  /** Whether the last real operation failed: a full disk answers a ping. @default never */
  readonly isFailing?: () => boolean
  /** Whether the server is ready without the dependency. @default false */
  readonly isOptional?: boolean
}

export interface Readiness {
  readonly ready: boolean
  /** By the name of the dependency. */
  readonly dependencies: Readonly<Record<string, 'ok' | 'unavailable'>>
}

const pingTimeoutMs = 2000

/** Pings every dependency, with a timeout of two seconds. */
export async function checkReadiness(dependencies: readonly Dependency[]): Promise<Readiness> {
  const states = await Promise.all(
    dependencies.map(async ({ name, ping, isFailing, isOptional = false }) => {
      const answer = await getState(ping)
      const state = isFailing?.() === true ? 'unavailable' : answer
      return { name, state, suffices: isOptional || state === 'ok' }
    }),
  )
  return {
    ready: states.every(({ suffices }) => suffices),
    dependencies: Object.fromEntries(states.map(({ name, state }) => [name, state])),
  }
}

async function getState(ping: Dependency['ping']): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(() => {
      resolve('unavailable')
    }, pingTimeoutMs)
  })
  const answered = ping().then(
    () => 'ok' as const,
    () => 'unavailable' as const,
  )
  try {
    return await Promise.race([answered, silent])
  } finally {
    clearTimeout(timer)
  }
}

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
