import { integerOption } from '../options.ts'
import type { SessionRecord, SessionStore } from './session-store.ts'

export interface MemorySessionStoreOptions {
  /** How many sessions are kept; the oldest gives way. @default 100000 */
  readonly max?: number
}

/**
 * Sessions in the memory of one process: for tests, and for servers that may forget them when they restart.
 *
 * @example
 * ```ts
 * import { createMemorySessionStore, createSessions } from '@sallyport/auth'
 *
 * const sessions = createSessions({
 *   store: createMemorySessionStore(),
 *   secrets: [process.env.JWT_SECRET ?? ''],
 * })
 * ```
 */
export function createMemorySessionStore({ max = 100_000 }: MemorySessionStoreOptions = {}): SessionStore {
  integerOption('max', max, 1)
  const sessions = new Map<string, SessionRecord>()

  function revoke(id: string, at: number): boolean {
    const session = sessions.get(id)
    if (session?.revokedAt !== null) return false
    sessions.set(id, { ...session, revokedAt: at })
    return true
  }

  const ofUser = (userId: string) =>
    [...sessions.values()].filter((session) => session.userId === userId && session.revokedAt === null)

  return {
    create: (session) =>
      settle(() => {
        if (sessions.has(session.id)) throw new Error('There is a session with this id already')
        sessions.set(session.id, { ...session })
        const [oldest] = sessions.keys()
        if (sessions.size > max && oldest !== undefined) sessions.delete(oldest)
      }),
    get: (id) =>
      settle(() => {
        const session = sessions.get(id)
        return session && { ...session }
      }),
    rotate: (id, { from, to, at }) =>
      settle(() => {
        const session = sessions.get(id)
        if (session?.revokedAt !== null || session.tokenHash !== from) return false
        sessions.set(id, { ...session, tokenHash: to, previousTokenHash: from, rotatedAt: at })
        return true
      }),
    revoke: (id, at) => settle(() => revoke(id, at)),
    revokeUser: (userId, { at, except, keep = 0 }) =>
      settle(() =>
        ofUser(userId)
          .filter(({ id }) => id !== except)
          .sort((a, b) => b.rotatedAt - a.rotatedAt)
          .slice(keep)
          .filter(({ id }) => revoke(id, at))
          .map(({ id }) => id),
      ),
    list: (userId) =>
      settle(() =>
        ofUser(userId)
          .sort((a, b) => b.createdAt - a.createdAt)
          .map((session) => ({ ...session })),
      ),
    prune: (before) =>
      settle(() => {
        const old = [...sessions.values()].filter(
          ({ expiresAt, revokedAt }) => expiresAt < before || (revokedAt !== null && revokedAt < before),
        )
        for (const { id } of old) sessions.delete(id)
        return old.length
      }),
  }
}

/** Runs at once, as one step that nothing comes between, and answers like a store that has to wait. */
function settle<T>(step: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(step())
  })
}
