/** A service that an API needs. */
export interface Dependency {
  readonly name: string
  /** Rejects when the dependency does not answer. */
  readonly ping: () => Promise<unknown>
  /** Whether the last real operation failed: a full disk answers a ping. @default never */
  readonly isFailing?: () => boolean
  /** Whether the API is ready without the dependency. @default false */
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
