import { describeFailure } from '@sallyport/internal/describe-failure'
import type { ProcessDependency } from '@sallyport/webhooks/processes'

/** A service that the server needs. */
export interface Dependency {
  readonly name: string
  /** Rejects when the dependency does not answer. */
  readonly ping: () => Promise<unknown>
  /** Why the last real operation failed, if it did: a full disk answers a ping. @default it never fails */
  readonly getFailure?: () => string | undefined
  /** A text for operators while the dependency is unavailable. @default none */
  readonly getDetail?: () => string | undefined
  /** Whether the server is ready without the dependency, which is a bus. @default false */
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
    dependencies.map(async ({ name, ping, getFailure, isOptional = false }) => {
      const unanswered = await findFailure(ping)
      const isOk = (getFailure?.() ?? unanswered) === undefined
      return { name, isOk, suffices: isOptional || isOk }
    }),
  )
  return {
    ready: states.every(({ suffices }) => suffices),
    dependencies: Object.fromEntries(states.map(({ name, isOk }) => [name, isOk ? 'ok' : 'unavailable'])),
  }
}

/** Describes the dependencies for the heartbeat of the process. A bus is asked only to confirm that it is unavailable. */
export const inspectDependencies = (
  dependencies: readonly Dependency[],
): Promise<readonly ProcessDependency[]> =>
  Promise.all(
    dependencies.map(async ({ name, ping, getFailure, getDetail, isOptional = false }) => {
      const identity = { name, kind: isOptional ? ('bus' as const) : ('database' as const) }
      const detail = getDetail?.()
      const asks = !isOptional || detail !== undefined
      const code = getFailure?.() ?? (asks ? await findFailure(ping) : undefined)
      if (code === undefined) return { ...identity, status: 'ok' as const }
      return { ...identity, status: 'unavailable' as const, code, ...(detail !== undefined && { detail }) }
    }),
  )

/** Returns why a ping fails; undefined if it succeeds. */
async function findFailure(ping: Dependency['ping']): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      resolve('TIMEOUT')
    }, pingTimeoutMs)
  })
  try {
    return await Promise.race([ping().then(() => undefined, toCode), silent])
  } finally {
    clearTimeout(timer)
  }
}

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
