import { SallyportError } from '@sallyport/errors'
import type { UserRow } from './tables.ts'
import type { RequestContext } from './context.ts'
import type { Invitations } from './invitations.ts'
import type { Accounts, NewAccount } from './accounts.ts'

/**
 * Who may register: everyone, only users that an admin registers, or everyone with an invitation of an admin. An invitation
 * gives a role; without one, users have the role `user`.
 */
export type RegistrationMode = 'open' | 'closed' | 'invite'

interface RegistrationOptions {
  readonly mode: RegistrationMode
  readonly accounts: Pick<Accounts, 'register'>
  readonly invitations: Pick<Invitations, 'check' | 'redeem'>
}

/**
 * Creates the function that registers a user as the mode allows. Admins register users in every mode.
 *
 * The function throws SallyportError 403 `REGISTRATION_CLOSED` and `INVITATION_INVALID`, and the errors of
 * `accounts.register`.
 */
export function createRegistration({ mode, accounts, invitations }: RegistrationOptions) {
  return async (
    { invitation: token, ...account }: NewAccount & { readonly invitation?: string | undefined },
    context: Pick<RequestContext, 'identify'>,
  ): Promise<UserRow> => {
    if (token === undefined) {
      if (mode === 'open' || (await context.identify())?.role === 'admin') return accounts.register(account)
      throw createRefusal(mode)
    }
    const claim = { token, email: account.email }
    // Before the expensive hash, and before the response tells whether the address is taken.
    const role = await invitations.check(claim)
    return accounts.register(account, role, (_, transaction) => invitations.redeem(claim, transaction))
  }
}

const createRefusal = (mode: 'closed' | 'invite'): SallyportError =>
  mode === 'closed'
    ? new SallyportError('REGISTRATION_CLOSED', 'Registration is closed: ask an administrator for an account')
    : new SallyportError(
        'INVITATION_INVALID',
        'Registration needs an invitation: ask an administrator for one',
      )
