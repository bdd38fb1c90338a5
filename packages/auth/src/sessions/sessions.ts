import { randomBytes, randomUUID } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { invalidRefreshToken } from '../bearer/errors.ts'
import { integerOption, textOption } from '../options.ts'
import { createRefreshTokens, hashRefreshToken, sameText } from './refresh-tokens.ts'
import type { RevokeUserOptions, SessionRecord, SessionStore } from './session-store.ts'

/** A session, without what is secret about it. Times are milliseconds since 1970. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** When it was created or its refresh token last rotated. */
  readonly lastUsedAt: number
  /** When it ends: at the end of its life, or earlier for want of use. */
  readonly expiresAt: number
}

/** A session with the refresh token that continues it. */
export interface SessionGrant {
  readonly session: Session
  /** Shown to the client and nobody else; works once. */
  readonly refreshToken: string
}

/** Why sessions ended: `revoked` on request, `reuse` because a used refresh token came back. */
export type SessionEnd = 'revoked' | 'reuse'

export interface SessionsOptions {
  readonly store: SessionStore
  /** At least one, of at least 32 bytes each: the first is used, the others were before it. Keys are derived. */
  readonly secrets: readonly (string | Uint8Array)[]
  /** How long a session lasts at most, in seconds. @default 2592000 (30 days) */
  readonly lifetimeSeconds?: number
  /** How long a session lasts without a rotation, in seconds. @default 604800 (7 days) */
  readonly idleSeconds?: number
  /**
   * How long a used token still answers with its successor, in seconds, 0 to 60. The clocks of processes have to differ
   * by less: a token that was used further in the future than this ends its session, as one used too long ago does.
   *
   * @default 10
   */
  readonly graceSeconds?: number
  /** How many sessions a user may have; one more ends the one that was used the longest ago. @default 1000 */
  readonly maxPerUser?: number
  /** Called in this process after sessions were ended in the store. */
  readonly onEnded?: (ids: readonly string[], reason: SessionEnd) => void
  /** The present, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** Makes the id of a session: 1 to 64 letters, digits, dashes and underscores. @default a random UUID */
  readonly id?: () => string
  /** @default that of node:crypto */
  readonly randomBytes?: (size: number) => Uint8Array
}

export interface RotateOptions {
  /** The session that the token must belong to, when the request names one. */
  readonly sessionId?: string | undefined
}

export interface Sessions {
  /** Starts a session of a user who has logged in; past `maxPerUser` another of its sessions ends. */
  readonly create: (user: { readonly userId: string }) => Promise<SessionGrant>
  /**
   * Takes a refresh token and gives its successor. Of any number of calls with one token, at the same time or again
   * within the grace, all get the same successor.
   *
   * @throws SallyportError 401 `INVALID_TOKEN`, in one text, when the token was not given out here, belongs to
   *   another session, or its session has ended. A token that was used before, and not just now, ends its session.
   */
  readonly rotate: (refreshToken: string, options?: RotateOptions) => Promise<SessionGrant>
  /** A session that has not ended. */
  readonly get: (id: string) => Promise<Session | undefined>
  /** Whether a session has not ended. */
  readonly isActive: (id: string) => Promise<boolean>
  /** The sessions of a user that have not ended, the newest first. */
  readonly list: (userId: string) => Promise<readonly Session[]>
  /** Ends a session; resolves to whether it had not ended before. */
  readonly revoke: (id: string) => Promise<boolean>
  /** Ends all sessions of a user, but perhaps one; resolves to the ids of those that it ended. */
  readonly revokeUser: (
    userId: string,
    options?: { readonly except?: string | undefined },
  ) => Promise<readonly string[]>
}

/**
 * Makes sessions that refresh tokens continue, with rotation and the detection of reuse (RFC 9700, section 4.14.2).
 *
 * @throws TypeError for an option out of range
 * @example
 * ```ts
 * import { createMemorySessionStore, createSessions } from '@sallyport/auth'
 *
 * const sessions = createSessions({
 *   store: createMemorySessionStore(),
 *   secrets: [process.env.JWT_SECRET ?? ''],
 * })
 * const { refreshToken } = await sessions.create({ userId: 'user-1' })
 * const next = await sessions.rotate(refreshToken)
 * await sessions.revoke(next.session.id)
 * ```
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { store, onEnded, now = Date.now, id = randomUUID } = options
  const random = options.randomBytes ?? randomBytes
  const tokens = createRefreshTokens(options.secrets)
  const lifetime = integerOption('lifetimeSeconds', options.lifetimeSeconds ?? 2_592_000, 1) * 1000
  const idle = integerOption('idleSeconds', options.idleSeconds ?? 604_800, 1) * 1000
  const maxPerUser = integerOption('maxPerUser', options.maxPerUser ?? 1000, 1)
  const grace = integerOption('graceSeconds', options.graceSeconds ?? 10, 0, 60) * 1000

  const endOf = (record: SessionRecord) => Math.min(record.expiresAt, record.rotatedAt + idle)
  const isOpen = (record: SessionRecord) => record.revokedAt === null && now() < endOf(record)

  const toSession = (record: SessionRecord): Session => ({
    id: record.id,
    userId: record.userId,
    createdAt: record.createdAt,
    lastUsedAt: record.rotatedAt,
    expiresAt: endOf(record),
  })

  async function openSession(sessionId: string): Promise<SessionRecord> {
    const record = await store.get(sessionId)
    if (record === undefined || !isOpen(record)) throw invalidRefreshToken()
    return record
  }

  /** What a token that is not the current one is answered: its successor within the grace, the end otherwise. */
  async function repeat(record: SessionRecord, token: string): Promise<SessionGrant> {
    const { previousTokenHash, rotatedAt } = record
    const justUsed = previousTokenHash !== null && sameText(previousTokenHash, hashRefreshToken(token))
    // Either way: the clock of another process may be behind, and one that was set back must not stretch the grace.
    if (justUsed && Math.abs(now() - rotatedAt) < grace) {
      const given = tokens
        .successors(token)
        .find((next) => sameText(hashRefreshToken(next), record.tokenHash))
      if (given !== undefined) return { session: toSession(record), refreshToken: given }
    }
    if (await store.revoke(record.id, now())) onEnded?.([record.id], 'reuse')
    throw invalidRefreshToken({ cause: new Error('A used refresh token came back; its session was ended') })
  }

  async function revokeUser(userId: string, kept: Omit<RevokeUserOptions, 'at'>): Promise<readonly string[]> {
    const ids = await store.revokeUser(userId, { at: now(), ...kept })
    if (ids.length > 0) onEnded?.(ids, 'revoked')
    return ids
  }

  return {
    async create({ userId }) {
      const createdAt = now()
      const sessionId = id()
      const refreshToken = tokens.first(sessionId, random(32))
      const record: SessionRecord = {
        id: sessionId,
        userId: textOption('userId', userId),
        createdAt,
        expiresAt: createdAt + lifetime,
        tokenHash: hashRefreshToken(refreshToken),
        previousTokenHash: null,
        rotatedAt: createdAt,
        revokedAt: null,
      }
      await store.create(record)
      // Without a bound, who logs in over and over makes a list that takes the memory of whoever reads it.
      await revokeUser(userId, { except: sessionId, keep: maxPerUser - 1 })
      return { session: toSession(record), refreshToken }
    },

    async rotate(refreshToken, { sessionId } = {}) {
      const owner = typeof refreshToken === 'string' ? tokens.sessionOf(refreshToken) : undefined
      if (owner === undefined || (sessionId !== undefined && sessionId !== owner)) throw invalidRefreshToken()
      const record = await openSession(owner)
      const from = hashRefreshToken(refreshToken)
      if (!sameText(record.tokenHash, from)) return repeat(record, refreshToken)
      const next = tokens.successor(refreshToken)
      const rotation = { from, to: hashRefreshToken(next), at: now() }
      if (await store.rotate(owner, rotation)) {
        return { session: toSession({ ...record, rotatedAt: rotation.at }), refreshToken: next }
      }
      // Somebody else was faster with the same token, or the session has just ended.
      const latest = await openSession(owner)
      if (sameText(latest.tokenHash, from)) throw staleStore()
      return repeat(latest, refreshToken)
    },

    async get(sessionId) {
      const record = await store.get(sessionId)
      return record !== undefined && isOpen(record) ? toSession(record) : undefined
    },

    async isActive(sessionId) {
      const record = await store.get(sessionId)
      return record !== undefined && isOpen(record)
    },

    async list(userId) {
      return (await store.list(userId)).filter(isOpen).map(toSession)
    },

    async revoke(sessionId) {
      const ended = await store.revoke(sessionId, now())
      // Told even when it had ended before: perhaps another process did, and this one does not know yet.
      onEnded?.([sessionId], 'revoked')
      return ended
    },

    revokeUser: (userId, { except } = {}) => revokeUser(userId, except === undefined ? {} : { except }),
  }
}

/** A store that reads from a replica shows the state before the rotation: no reason to end the session. */
function staleStore(): SallyportError {
  return new SallyportError(
    'SERVICE_UNAVAILABLE',
    'The session cannot be continued at the moment; try again',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}
