import { randomBytes, randomUUID } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { integerOption } from '@sallyport/internal/options'
import { createInvalidRefreshTokenError } from '../bearer/errors.ts'
import { textOption } from '../options.ts'
import { RefreshTokenReuse } from './refresh-token-reuse.ts'
import { createRefreshTokens, hashRefreshToken, sameText } from './refresh-tokens.ts'
import type { RevokeUserOptions, SessionRecord, SessionStore } from './session-store.ts'

/** A session without secrets. Times are milliseconds since 1970. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** The time of creation or of the last rotation of the refresh token. */
  readonly lastUsedAt: number
  /** The end of the session: its absolute end, or earlier without a rotation. */
  readonly expiresAt: number
}

/** A session and its current refresh token. */
export interface SessionGrant {
  readonly session: Session
  /** The refresh token for the client; valid for one rotation. */
  readonly refreshToken: string
}

/** The reason why sessions ended: `revoked` on request, `reuse` after the reuse of a refresh token. */
type SessionEnd = 'revoked' | 'reuse'

export interface SessionsOptions {
  readonly store: SessionStore
  /** At least one secret of at least 32 bytes. The first is used for new tokens, the others verify old ones. */
  readonly secrets: readonly (string | Uint8Array)[]
  /** The maximum lifetime of a session in seconds. @default 2592000 (30 days) */
  readonly lifetimeSeconds?: number
  /** The maximum time between rotations in seconds. @default 604800 (7 days) */
  readonly idleSeconds?: number
  /**
   * How long a used token still returns its successor, in seconds, 0 to 60. The clocks of processes must differ by less: a
   * rotation further in the future ends the session, like one too far in the past.
   *
   * @default 10
   */
  readonly graceSeconds?: number
  /** The maximum number of sessions per user. One more ends the least recently used. @default 1000 */
  readonly maxPerUser?: number
  /** Called in this process after sessions were revoked in the store. */
  readonly onEnded?: (ids: readonly string[], reason: SessionEnd) => void
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** Creates the id of a session: 1 to 64 letters, digits, dashes and underscores. @default a random UUID */
  readonly id?: () => string
  /** @default randomBytes of node:crypto */
  readonly randomBytes?: (size: number) => Uint8Array
}

/** A session of a token, and the token that replaces it. */
export interface ResumedSession {
  readonly session: Session
  /** The successor of the token, to store in its place; undefined while the token stays current. */
  readonly refreshToken?: string
}

interface ResumeOptions {
  /** The age in seconds at which a token gets a successor. */
  readonly rotateAfterSeconds: number
}

interface RotateOptions {
  /** The id of the session that the token must belong to, if the request names one. */
  readonly sessionId?: string | undefined
}

export interface Sessions {
  /**
   * Starts a session after a login. Over `maxPerUser` it ends the least recently used session of the user. `maxSeconds` ends it
   * before `lifetimeSeconds`.
   */
  readonly create: (user: {
    readonly userId: string
    readonly maxSeconds?: number | undefined
  }) => Promise<SessionGrant>
  /**
   * Exchanges a refresh token for its successor. Concurrent calls with one token, and repetitions within the grace period,
   * return the same successor.
   *
   * @throws SallyportError 401 `INVALID_TOKEN`, with one message, when the token is forged, belongs to another session, or
   *   its session has ended. Reuse of a token after the grace period ends its session; the cause of the error is then a
   *   `RefreshTokenReuse`.
   */
  readonly rotate: (refreshToken: string, options?: RotateOptions) => Promise<SessionGrant>
  /**
   * Returns the session of a token that a client sends with every request, such as in a cookie, and rotates the token by
   * age. The previous token stays valid until the next rotation, so that parallel requests and lost responses do not end
   * the session.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` as `rotate`. Use of a token before the previous one ends its session.
   */
  readonly resume: (refreshToken: string, options: ResumeOptions) => Promise<ResumedSession>
  /** Returns an active session. */
  readonly get: (id: string) => Promise<Session | undefined>
  /** Whether a session is active. */
  readonly isActive: (id: string) => Promise<boolean>
  /** Lists the active sessions of a user, newest first. */
  readonly list: (userId: string) => Promise<readonly Session[]>
  /** Revokes a session; resolves to false if it was revoked before. */
  readonly revoke: (id: string) => Promise<boolean>
  /** Revokes the sessions of a user, optionally except one; resolves to the ids of the newly revoked sessions. */
  readonly revokeUser: (
    userId: string,
    options?: { readonly except?: string | undefined },
  ) => Promise<readonly string[]>
  /** Revokes the sessions of all users; resolves to the ids of the newly revoked sessions. */
  readonly revokeAll: () => Promise<readonly string[]>
}

/**
 * Creates sessions with rotating refresh tokens and reuse detection (RFC 9700, section 4.14.2).
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

  const getEnd = (record: SessionRecord) => Math.min(record.expiresAt, record.rotatedAt + idle)
  const isOpen = (record: SessionRecord) => record.revokedAt === null && now() < getEnd(record)

  const toSession = (record: SessionRecord): Session => ({
    id: record.id,
    userId: record.userId,
    createdAt: record.createdAt,
    lastUsedAt: record.rotatedAt,
    expiresAt: getEnd(record),
  })

  async function openSession(sessionId: string): Promise<SessionRecord> {
    const record = await store.get(sessionId)
    if (record === undefined || !isOpen(record)) throw createInvalidRefreshTokenError()
    return record
  }

  /**
   * Answers a token that is not current: the successor of the previous token within `graceMs`, otherwise the end of the
   * session.
   */
  async function repeat(record: SessionRecord, token: string, graceMs = grace): Promise<SessionGrant> {
    const { previousTokenHash, rotatedAt } = record
    const justUsed = previousTokenHash !== null && sameText(previousTokenHash, hashRefreshToken(token))
    // Absolute difference: clocks of processes differ, and a clock that is set back must not extend the grace period.
    if (justUsed && Math.abs(now() - rotatedAt) < graceMs) {
      const given = tokens
        .successors(token)
        .find((next) => sameText(hashRefreshToken(next), record.tokenHash))
      if (given !== undefined) return { session: toSession(record), refreshToken: given }
    }
    if (await store.revoke(record.id, now())) onEnded?.([record.id], 'reuse')
    throw createInvalidRefreshTokenError({
      cause: new RefreshTokenReuse({ sessionId: record.id, userId: record.userId }),
    })
  }

  /** Rotates the current token of a session; repeats a rotation that a concurrent call has won. */
  async function rotateCurrent(
    record: SessionRecord,
    token: string,
    graceMs?: number,
  ): Promise<SessionGrant> {
    const next = tokens.successor(token)
    const rotation = { from: record.tokenHash, to: hashRefreshToken(next), at: now() }
    if (await store.rotate(record.id, rotation)) {
      return { session: toSession({ ...record, rotatedAt: rotation.at }), refreshToken: next }
    }
    // A concurrent call has rotated the token, or the session has just ended.
    const latest = await openSession(record.id)
    if (sameText(latest.tokenHash, record.tokenHash)) throw staleStoreError()
    return repeat(latest, token, graceMs)
  }

  async function report(revoked: Promise<readonly string[]>): Promise<readonly string[]> {
    const ids = await revoked
    if (ids.length > 0) onEnded?.(ids, 'revoked')
    return ids
  }

  const revokeUser = (userId: string, kept: Omit<RevokeUserOptions, 'at'>) =>
    report(store.revokeUser(userId, { at: now(), ...kept }))

  return {
    async create({ userId, maxSeconds = Infinity }) {
      const createdAt = now()
      const sessionId = id()
      const refreshToken = tokens.first(sessionId, random(32))
      const record: SessionRecord = {
        id: sessionId,
        userId: textOption('userId', userId),
        createdAt,
        expiresAt: createdAt + Math.min(lifetime, maxSeconds * 1000),
        tokenHash: hashRefreshToken(refreshToken),
        previousTokenHash: null,
        rotatedAt: createdAt,
        revokedAt: null,
      }
      await store.create(record)
      // Without a limit, repeated logins would create a list that exhausts the memory of its reader.
      await revokeUser(userId, { except: sessionId, keep: maxPerUser - 1 })
      return { session: toSession(record), refreshToken }
    },

    async rotate(refreshToken, { sessionId } = {}) {
      const owner = typeof refreshToken === 'string' ? tokens.findSession(refreshToken) : undefined
      if (owner === undefined || (sessionId !== undefined && sessionId !== owner))
        throw createInvalidRefreshTokenError()
      const record = await openSession(owner)
      const from = hashRefreshToken(refreshToken)
      return sameText(record.tokenHash, from)
        ? rotateCurrent(record, refreshToken)
        : repeat(record, refreshToken)
    },

    async resume(refreshToken, { rotateAfterSeconds }) {
      const owner = tokens.findSession(refreshToken)
      if (owner === undefined) throw createInvalidRefreshTokenError()
      const record = await openSession(owner)
      if (!sameText(record.tokenHash, hashRefreshToken(refreshToken)))
        return repeat(record, refreshToken, Infinity)
      if (now() - record.rotatedAt < rotateAfterSeconds * 1000) return { session: toSession(record) }
      return rotateCurrent(record, refreshToken, Infinity)
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
      // Called even if the session was revoked before: another process may have revoked it.
      onEnded?.([sessionId], 'revoked')
      return ended
    },

    revokeUser: (userId, { except } = {}) => revokeUser(userId, except === undefined ? {} : { except }),
    revokeAll: () => report(store.revokeAll(now())),
  }
}

/** A store that reads from a replica returns the state before the rotation, which must not end the session. */
function staleStoreError(): SallyportError {
  return new SallyportError(
    'SERVICE_UNAVAILABLE',
    'The session cannot be continued at the moment; try again',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}
