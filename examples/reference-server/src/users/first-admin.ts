import { isSallyportError } from '@sallyport/errors'
import type { Accounts } from './accounts.ts'
import type { Users } from './repository.ts'
import { createUserBody } from './schemas.ts'

export interface Admin {
  readonly email: string
  readonly password: string
}

/** A first admin that the server generates for development. */
export interface DevelopmentAdmin extends Admin {
  /** Writes the password to `secrets.json`. */
  readonly savePassword: () => void
}

const name = 'Administrator'

/** Validates the first admin like any user; each problem starts with the name of the setting. */
export function adminProblems(admin: Admin): readonly string[] {
  const { error } = createUserBody.safeParse({ ...admin, name })
  return (error?.issues ?? []).map(({ path, message }) => `ADMIN_${path.join('_').toUpperCase()}: ${message}`)
}

/**
 * Creates the first admin, unless a user has the address.
 * @returns a notice for the operator if the user with this address is not an admin
 */
export async function ensureAdmin(
  admin: Admin,
  { users, accounts }: { readonly users: Users; readonly accounts: Accounts },
): Promise<string | undefined> {
  const account = createUserBody.parse({ ...admin, name })
  const present = await users.find({ email: account.email })
  if (present?.role === 'admin') return undefined
  // A changed role must not prevent the start.
  if (present) {
    return 'ADMIN_EMAIL is the address of a user without the role admin: set another address, or unset ADMIN_EMAIL'
  }
  try {
    await accounts.register(account, 'admin')
  } catch (error) {
    // Another process has created the admin at the same time.
    if (!isSallyportError(error) || error.code !== 'EMAIL_TAKEN') throw error
  }
  return undefined
}

/**
 * Creates the first admin of a development database and stores the password in the same transaction. A database with an
 * admin stays unchanged.
 *
 * @returns whether the admin was created
 */
export async function ensureDevelopmentAdmin(
  { savePassword, ...admin }: DevelopmentAdmin,
  { users, accounts }: { readonly users: Users; readonly accounts: Accounts },
): Promise<boolean> {
  if ((await users.find({ role: 'admin' })) !== undefined) return false
  try {
    await accounts.register({ ...admin, name }, 'admin', () => {
      savePassword()
      return Promise.resolve()
    })
    return true
  } catch (error) {
    // Another process has created the admin at the same time, with another password.
    if (isSallyportError(error) && error.code === 'EMAIL_TAKEN') return false
    throw error
  }
}
