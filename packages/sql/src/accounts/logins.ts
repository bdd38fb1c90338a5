import { formatBearerChallenge, type SessionGrant } from '@sallyport/auth'
import type { PasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'
import type { MemoryRateLimit, RateLimitResult } from '@sallyport/rest'
import type { UserRow } from './tables.ts'
import { RefusalCause } from './events.ts'
import type { Users } from './users.ts'
import type { UserTransactions } from './transactions.ts'
import type { Access } from './access.ts'
import type { KnownNetworks } from './known-networks.ts'
import { createAttempts } from './attempts.ts'
import { toSession, type GrantResource } from './session-schemas.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** A new session of a user. */
interface Login extends SessionGrant {
  readonly role: UserRow['role']
}

export type CheckPassword = (
  user: Pick<UserRow, 'email' | 'password_hash'>,
  password: string,
  network: string,
  show?: (state: RateLimitResult) => void,
) => Promise<{ readonly valid: boolean }>

/** Starts and refreshes sessions. */
export interface Logins {
  /**
   * Starts a session.
   *
   * @throws SallyportError 401 `INVALID_CREDENTIALS`; 403 `ACCOUNT_SUSPENDED`; 429 `RATE_LIMITED` after too many
   * failures of this account and network, or of this account from networks without a login; 503 `OVERLOADED` while too many wait, `SERVICE_UNAVAILABLE`
   * while the account keeps changing
   * @param show called with the rate limit of failures for the account and network
   */
  readonly start: (
    credentials: Credentials,
    network: string,
    show?: (state: RateLimitResult) => void,
  ) => Promise<Login>
  /** Starts a session as `start` does, and issues its access token. */
  readonly logIn: (...login: Parameters<Logins['start']>) => Promise<GrantResource>
  /**
   * Checks the password of a user, with the limits of logins for the account and network.
   *
   * @throws SallyportError 429 `RATE_LIMITED`; 503 `OVERLOADED` while too many wait
   */
  readonly checkPassword: CheckPassword
  /**
   * Exchanges a refresh token for a new pair of tokens.
   *
   * @throws SallyportError 401 `INVALID_TOKEN`
   */
  readonly refresh: (sessionId: string, refreshToken: string, network: string) => Promise<GrantResource>
}

/** The number of attempts of a login whose account changes concurrently. */
const maxAttempts = 5

export function createLogins(options: {
  readonly users: Users
  readonly transactions: UserTransactions
  readonly access: Access
  readonly passwords: PasswordHasher
  /** Failures of one account from one network. */
  readonly failures: MemoryRateLimit
  /** Failures of one account from all unknown networks. */
  readonly accountFailures: MemoryRateLimit
  readonly knownNetworks: KnownNetworks
  /** The e-mail addresses of the users who may log in with a password. @default all */
  readonly passwordLogins?: readonly string[] | undefined
  /** Called when a password cannot be rehashed with the current parameters. */
  readonly onRehashError?: (error: unknown) => void
}): Logins {
  const { users, transactions, passwords, knownNetworks } = options
  const { sessions, issuer } = options.access
  const attempts = createAttempts(options.failures)
  const mayLogIn = (email: string) => options.passwordLogins?.includes(email) ?? true
  const accountAttempts = createAttempts(options.accountFailures)

  async function grant({ session, refreshToken, role }: Login): Promise<GrantResource> {
    const { token, expiresIn } = await issuer.issue({ sub: session.userId, sid: session.id, role })
    const { id, user_id, created_at, expires_at } = toSession(session)
    return {
      id,
      user_id,
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresIn,
      refresh_token: refreshToken,
      created_at,
      expires_at,
    }
  }

  /**
   * Starts a session after a successful password check; undefined if the hash of the password has changed since.
   */
  function begin(user: UserRow) {
    // The lock prevents changes of the account until the session exists, so that they end this session too.
    return transactions(async ({ lock, sessions }) => {
      const current = await lock(user.id)
      if (current?.password_hash !== user.password_hash) return undefined
      if (current.status === 'suspended') throw suspended(user.id)
      return { current, started: await sessions.create({ userId: user.id }) }
    })
  }

  function check(
    { email, password_hash }: { readonly email: string; readonly password_hash?: string },
    password: string,
    network: string,
    show?: (state: RateLimitResult) => void,
  ) {
    const compare = () => passwords.verify(password_hash, password)
    const attempt = () => attempts.run(`${network} ${email}`, compare, show)
    // Failures from elsewhere must not lock out the networks that the account uses.
    return knownNetworks.has(email, network) ? attempt() : accountAttempts.run(email, attempt)
  }

  /** Rehashes a password. The login succeeds in any case, and the next login retries. */
  async function rehash(user: UserRow, password: string): Promise<void> {
    try {
      const password_hash = await passwords.hash(password)
      await users.change({ id: user.id }, (row) =>
        row.password_hash === user.password_hash ? { password_hash } : {},
      )
    } catch (error) {
      options.onRehashError?.(error)
    }
  }

  const start: Logins['start'] = async ({ email, password }, network, show) => {
    for (let round = 0; round < maxAttempts; round++) {
      const user = mayLogIn(email) ? await users.find({ email }) : undefined
      const { valid, needsRehash } = await check({ email, ...user }, password, network, show)
      if (user === undefined || !valid) throw invalidCredentials(user?.id)
      const begun = await begin(user)
      if (begun === undefined) continue
      knownNetworks.add(email, network)
      if (needsRehash) await rehash(user, password)
      return { ...begun.started, role: begun.current.role }
    }
    throw changing()
  }

  return {
    start,

    async logIn(...login) {
      return grant(await start(...login))
    },
    checkPassword: check,

    async refresh(sessionId, refreshToken, network) {
      const rotated = await sessions.rotate(refreshToken, { sessionId })
      const user = await users.find({ id: rotated.session.userId })
      if (user?.status !== 'active') {
        await sessions.revoke(sessionId)
        throw createInvalidRefreshTokenError({ targetId: rotated.session.userId, sessionId })
      }
      // Known networks are lost at a restart: a refresh keeps its user from being locked out.
      knownNetworks.add(user.email, network)
      return grant({ ...rotated, role: user.role })
    },
  }
}

function invalidCredentials(targetId: string | undefined): SallyportError {
  return new SallyportError('INVALID_CREDENTIALS', 'E-mail address or password is wrong', {
    cause: new RefusalCause({ targetId }),
    headers: { 'WWW-Authenticate': formatBearerChallenge() },
  })
}

function changing(): SallyportError {
  return new SallyportError('SERVICE_UNAVAILABLE', 'The account is changing; try again', {
    headers: { 'Retry-After': '1' },
  })
}

function suspended(targetId: string): SallyportError {
  return new SallyportError('ACCOUNT_SUSPENDED', 'The account is suspended; ask an administrator', {
    cause: new RefusalCause({ targetId }),
  })
}

function createInvalidRefreshTokenError(details: RefusalCause['details']): SallyportError {
  return new SallyportError('INVALID_TOKEN', 'The refresh token is not valid; log in again', {
    cause: new RefusalCause(details),
    headers: { 'WWW-Authenticate': formatBearerChallenge({ error: 'invalid_token' }) },
  })
}
