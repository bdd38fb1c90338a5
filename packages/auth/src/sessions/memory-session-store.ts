import { integerOption } from '@sallyport/internal/options'
import type { SessionRecord, SessionStore } from './session-store.ts'

export interface MemorySessionStoreOptions {
  /** The maximum number of sessions. Over it, the store deletes the oldest. @default 100000 */
  readonly max?: number
}

/**
 * Creates a session store in the memory of one process, for tests and for servers that may lose sessions at a restart.
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

  const listActive = (userId: string) =>
    [...sessions.values()].filter((session) => session.userId === userId && session.revokedAt === null)

  return {
    create: (session) =>
      promisify(() => {
        if (sessions.has(session.id)) throw new Error('A session with this id exists already')
        sessions.set(session.id, { ...session })
        const [oldest] = sessions.keys()
        if (sessions.size > max && oldest !== undefined) sessions.delete(oldest)
      }),
    get: (id) =>
      promisify(() => {
        const session = sessions.get(id)
        return session && { ...session }
      }),
    rotate: (id, { from, to, at }) =>
      promisify(() => {
        const session = sessions.get(id)
        if (session?.revokedAt !== null || session.tokenHash !== from) return false
        sessions.set(id, { ...session, tokenHash: to, previousTokenHash: from, rotatedAt: at })
        return true
      }),
    revoke: (id, at) => promisify(() => revoke(id, at)),
    revokeUser: (userId, { at, except, keep = 0 }) =>
      promisify(() =>
        listActive(userId)
          .filter(({ id }) => id !== except)
          .sort((a, b) => b.rotatedAt - a.rotatedAt)
          .slice(keep)
          .filter(({ id }) => revoke(id, at))
          .map(({ id }) => id),
      ),
    revokeAll: (at) => promisify(() => [...sessions.keys()].filter((id) => revoke(id, at))),
    list: (userId) =>
      promisify(() =>
        listActive(userId)
          .sort((a, b) => b.createdAt - a.createdAt)
          .map((session) => ({ ...session })),
      ),
    prune: (before) =>
      promisify(() => {
        const old = [...sessions.values()].filter(
          ({ expiresAt, revokedAt }) => expiresAt < before || (revokedAt !== null && revokedAt < before),
        )
        for (const { id } of old) sessions.delete(id)
        return old.length
      }),
  }
}

/** Runs a step synchronously, so that it is atomic, and returns a promise. */
function promisify<T>(step: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(step())
  })
}
