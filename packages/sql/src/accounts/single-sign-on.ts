import { randomUUID } from 'node:crypto'
import type { SessionGrant } from '@sallyport/auth'
import { getGroups, type OidcClient, type OidcIdentity } from '@sallyport/auth/oidc'
import { isUniqueViolation } from '../rows/violations.ts'
import { findRole, type GroupRole } from './group-roles.ts'
import type { UserRow } from './tables.ts'
import type { UserTransactions } from './transactions.ts'
import { createUserBody } from './user-schemas.ts'
import type { Users } from './users.ts'

/** Logins at an issuer of OpenID Connect. Users belong to it by issuer and subject, never by their e-mail address. */
export interface SingleSignOn {
  /** `createOidcClient` of `@sallyport/auth/oidc`, whose callback is `/sessions/sso/callback`. */
  readonly client: OidcClient
  /** The roles of groups, as `readGroupRoles` reads them. A user without a group of the map is refused. */
  readonly roles: ReadonlyMap<string, GroupRole>
  /** The claim of the ID token with the groups of a user. @default 'groups' */
  readonly claim?: string
  /** How long a session lasts, in seconds. A change at the issuer takes effect at the next login. @default 28800 (8 hours) */
  readonly sessionSeconds?: number
}

/** A login at an issuer that the accounts refuse. */
type Refusal = 'no_role' | 'suspended'

interface IssuerLogin {
  readonly user: UserRow
  readonly isNew: boolean
  /** What the issuer changed of the permissions of a known user. */
  readonly changed: readonly ('role' | 'endpoints')[]
  /** The new session, or why there is none. */
  readonly result: SessionGrant | Refusal
}

export interface IssuerLogins {
  /** Creates or updates the user of an identity, and starts a session. Undefined for an unknown user without a role. */
  readonly start: (identity: OidcIdentity) => Promise<IssuerLogin | undefined>
}

const ownDomain = '@sso.invalid'

/** Another login of the same user, or a registration with the same address, may come first. */
const maxAttempts = 3

export function createIssuerLogins({
  users,
  transactions,
  roles,
  claim = 'groups',
  sessionSeconds: maxSeconds = 28_800,
}: Omit<SingleSignOn, 'client'> & {
  readonly users: Pick<Users, 'find'>
  readonly transactions: UserTransactions
}): IssuerLogins {
  /** Another user may have the address, which must not give access to that user, nor keep this one out. */
  async function chooseEmail({ email }: OidcIdentity, known: UserRow | undefined) {
    const { data } = createUserBody.shape.email.safeParse(email)
    const holder = data === undefined ? undefined : await users.find({ email: data })
    if (data !== undefined && (holder === undefined || holder.id === known?.id)) return data
    // Nobody can register a random address first.
    return known?.email.endsWith(ownDomain) === true ? known.email : randomUUID() + ownDomain
  }

  async function attempt(identity: OidcIdentity): Promise<IssuerLogin | undefined> {
    const { issuer, subject } = identity
    const known = await users.find({ issuer, subject })
    const found = findRole(getGroups(identity, claim), roles)
    if (known === undefined && found === undefined) return undefined
    const email = await chooseEmail(identity, known)
    const { role, endpoints } = found ?? { role: 'user', endpoints: null }
    return transactions(async ({ lock, users, sessions }) => {
      const before = known && (await lock(known.id))
      const user = before
        ? await users.change({ id: before.id }, (row) =>
            row.role === role && row.email === email && row.endpoints === endpoints
              ? {}
              : { role, email, endpoints },
          )
        : await users.insert({
            ...{ issuer, subject, email, role, endpoints, name: chooseName(identity, email) },
            ...{ password_hash: '', status: 'active' },
          })
      const changed = (['role', 'endpoints'] as const).filter((name) => before && before[name] !== user[name])
      if (changed.length > 0) await sessions.revokeUser(user.id)
      const about = { user, isNew: before === undefined, changed }
      if (found === undefined) return { ...about, result: 'no_role' as const }
      if (user.status === 'suspended') return { ...about, result: 'suspended' as const }
      return { ...about, result: await sessions.create({ userId: user.id, maxSeconds }) }
    })
  }

  return {
    async start(identity) {
      for (let round = 1; ; round++) {
        try {
          return await attempt(identity)
        } catch (error) {
          if (round === maxAttempts || !isUniqueViolation(error)) throw error
        }
      }
    },
  }
}

function chooseName({ name }: OidcIdentity, email: string): string {
  const { data } = createUserBody.shape.name.safeParse(name)
  return data ?? email.slice(0, 100)
}
