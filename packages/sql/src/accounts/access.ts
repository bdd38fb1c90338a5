import {
  createKeyRing,
  createSessions,
  createTokenIssuer,
  createTokenVerifier,
  createRevocationCache,
  type KeyRing,
  type Sessions,
  type TokenIssuer,
  type TokenVerifier,
} from '@sallyport/auth'
import type { SessionStore } from '@sallyport/auth/store'
import { uuidV7 } from '@sallyport/internal/uuid-v7'
import type { OwnClaims } from './context.ts'
import { isUserRole } from './roles.ts'

/** Sessions and their access tokens. */
export interface Access {
  readonly sessions: Sessions
  readonly issuer: TokenIssuer<OwnClaims>
  readonly verifier: TokenVerifier<OwnClaims>
  /**
   * Runs a task with sessions in another store, such as that of a transaction. The verifier learns of ended sessions after
   * the task succeeds.
   */
  readonly during: <T>(run: (sessionsIn: (store: SessionStore) => Sessions) => Promise<T>) => Promise<T>
}

export function createAccess(options: {
  readonly store: SessionStore
  /** The secrets of refresh tokens: the first creates, all verify. */
  readonly secrets: readonly string[]
  /** The keys of access tokens. @default the secrets */
  readonly keys?: KeyRing
  readonly issuer: string
  readonly audience: string
}): Access {
  const { store, secrets } = options
  const common = { secrets, id: uuidV7(Date.now) }
  const onEnded = (ids: readonly string[]) => {
    for (const id of ids) revocations.revokeSession(id)
  }
  const sessions = createSessions({ ...common, store, onEnded })
  const revocations = createRevocationCache({
    lookup: async ({ sid }) => sid === undefined || !(await sessions.isActive(sid)),
  })
  const tokens = {
    keys: options.keys ?? createKeyRing(secrets),
    issuer: options.issuer,
    audience: options.audience,
    // Not 'at+jwt': teams create tokens with other libraries, and nearly all of them write 'JWT'.
    typ: 'JWT',
  }
  return {
    sessions,
    issuer: createTokenIssuer<OwnClaims>(tokens),
    verifier: createTokenVerifier<OwnClaims>({ ...tokens, claims: parseClaims, revocations }),
    async during(run) {
      const ended: string[] = []
      const result = await run((other) =>
        createSessions({
          ...common,
          store: other,
          onEnded: (ids) => {
            ended.push(...ids)
          },
        }),
      )
      onEnded(ended)
      return result
    },
  }
}

/** Parses the private claims of an access token. @throws TypeError for missing claims */
function parseClaims({ role, sid }: Readonly<Record<string, unknown>>): OwnClaims {
  if (!isUserRole(role)) throw new TypeError('The role of the token is unknown')
  if (typeof sid !== 'string') throw new TypeError('The token belongs to no session')
  return { role, sid }
}
