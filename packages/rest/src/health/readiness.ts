import { findFailure } from '@sallyport/internal/find-failure'

/** A service that an API needs. */
export interface Dependency {
  readonly name: string
  /** Rejects when the dependency does not answer. */
  readonly ping: () => Promise<unknown>
  /** Why the last real operation failed, if it did: a full disk answers a ping. @default it never fails */
  readonly getFailure?: () => string | undefined
  /** A text for operators while the dependency is unavailable. @default none */
  readonly getDetail?: () => string | undefined
  /** Whether the API is ready without the dependency. @default false */
  readonly isOptional?: boolean
}

export interface Readiness {
  readonly ready: boolean
  /** By the name of the dependency. */
  readonly dependencies: Readonly<Record<string, 'ok' | 'unavailable'>>
}

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
