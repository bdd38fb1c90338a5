/** Something that the server stands on. */
export interface Dependency {
  readonly name: string
  /** Rejects when it does not answer. */
  readonly ping: () => Promise<unknown>
  /** Whether the server can do without it for a while, and is ready all the same. @default false */
  readonly isOptional?: boolean
}

export interface Readiness {
  readonly ready: boolean
  /** By the name of the dependency. */
  readonly dependencies: Readonly<Record<string, 'ok' | 'unavailable'>>
}

const patienceMs = 2000

/** Asks every dependency, for no longer than two seconds. */
export async function readinessOf(dependencies: readonly Dependency[]): Promise<Readiness> {
  const states = await Promise.all(
    dependencies.map(async ({ name, ping, isOptional = false }) => {
      const state = await stateOf(ping)
      return { name, state, suffices: isOptional || state === 'ok' }
    }),
  )
  return {
    ready: states.every(({ suffices }) => suffices),
    dependencies: Object.fromEntries(states.map(({ name, state }) => [name, state])),
  }
}

async function stateOf(ping: Dependency['ping']): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(() => {
      resolve('unavailable')
    }, patienceMs)
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
