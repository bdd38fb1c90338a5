import { hash, randomBytes } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import type { ListQuery } from '@sallyport/rest'
import type { Kysely } from 'kysely'
import { createRepository, type RowPage } from '../rows/repository.ts'
import type { UserRole } from './roles.ts'
import type { InvitationRow, AccountTables } from './tables.ts'

interface NewInvitation {
  readonly email: string | null
  readonly role: UserRole
  readonly createdBy: string
  readonly validForMs: number
}

/** What a registration presents. */
interface Claim {
  readonly token: string
  /** The e-mail address of the registration. */
  readonly email: string
}

/** Single-use invitations to register. An invitation counts while its creator is an active admin. */
export interface Invitations {
  /**
   * Creates an invitation. Its token is returned once; the database has only a hash.
   *
   * @throws SallyportError 409 `CONFLICT` over the limit of invitations
   */
  readonly create: (
    invitation: NewInvitation,
  ) => Promise<{ readonly row: InvitationRow; readonly token: string }>
  readonly list: (query: ListQuery) => Promise<RowPage<InvitationRow>>
  /** @throws SallyportError 404 `NOT_FOUND` */
  readonly remove: (id: string) => Promise<void>
  /** Returns the role that the invitation gives. @throws SallyportError 403 `INVITATION_INVALID` */
  readonly check: (claim: Claim) => Promise<UserRole>
  /**
   * Uses an invitation up, in the transaction of the registration.
   *
   * @throws SallyportError 403 `INVITATION_INVALID`
   */
  readonly redeem: (claim: Claim, transaction: Kysely<AccountTables>) => Promise<void>
  /** Deletes expired invitations. */
  readonly prune: () => Promise<unknown>
}

const maxInvitations = 1000

export function createInvitations(
  db: Kysely<AccountTables>,
  {
    reads = db,
    now = Date.now,
  }: { readonly reads?: Kysely<AccountTables>; readonly now?: () => number } = {},
): Invitations {
  const invitations = createRepository(db, 'invitations', { noun: 'invitation', reads, now })
  const formatNow = (offsetMs = 0) => new Date(now() + offsetMs).toISOString()

  const selectValid = ({ token, email }: Claim, database: Kysely<AccountTables>) =>
    database
      .selectFrom('invitations')
      .innerJoin('users', 'users.id', 'invitations.created_by')
      .select(['invitations.id', 'invitations.role'])
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', formatNow())
      .where((row) => row.or([row('invitations.email', 'is', null), row('invitations.email', '=', email)]))
      .where('users.role', '=', 'admin')
      .where('users.status', '=', 'active')

  return {
    async create({ email, role, createdBy, validForMs }) {
      const { count } = await reads
        .selectFrom('invitations')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('expires_at', '>', formatNow())
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxInvitations)
        throw new SallyportError('CONFLICT', `There are ${maxInvitations} invitations already: delete some`)
      const token = `inv_${randomBytes(32).toString('base64url')}`
      const row = await invitations.insert({
        email,
        role,
        token_hash: hashToken(token),
        created_by: createdBy,
        expires_at: formatNow(validForMs),
      })
      return { row, token }
    },
    list: (query) => invitations.list(query),
    remove: (id) => invitations.remove({ id }, () => undefined),
    async check(claim) {
      const invitation = await selectValid(claim, reads).executeTakeFirst()
      if (invitation === undefined) throw createInvalidError()
      return invitation.role
    },
    async redeem(claim, transaction) {
      const { numDeletedRows } = await transaction
        .deleteFrom('invitations')
        .where('id', 'in', selectValid(claim, transaction).clearSelect().select('invitations.id'))
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) throw createInvalidError()
    },
    prune: () => db.deleteFrom('invitations').where('expires_at', '<=', formatNow()).execute(),
  }
}

/** A token has 256 random bits, so it needs no salt and no slow hash. */
const hashToken = (token: string): string => hash('sha256', token, 'base64url')

function createInvalidError(): SallyportError {
  return new SallyportError(
    'INVITATION_INVALID',
    'The invitation is unknown, used or expired, or for another address: ask an administrator for a new one',
  )
}
