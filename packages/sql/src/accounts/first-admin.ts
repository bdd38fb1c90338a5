import { isSallyportError } from '@sallyport/errors'
import type { Accounts } from './accounts.ts'
import { createUserBody } from './user-schemas.ts'
import type { Users } from './users.ts'

export interface Admin {
  readonly email: string
  readonly password: string
}

interface Parts {
  readonly users: Pick<Users, 'find'>
  readonly accounts: Pick<Accounts, 'register'>
}

const name = 'Administrator'

/** Validates the first admin like any user. */
export function findAdminProblems(
  admin: Admin,
): readonly { readonly field: keyof Admin; readonly message: string }[] {
  const { error } = createUserBody.safeParse({ ...admin, name })
  return (error?.issues ?? []).map(({ path, message }) => ({
    field: path[0] === 'email' ? 'email' : 'password',
    message,
  }))
}

/**
 * Creates an admin, unless a user has the address.
 *
 * @returns whether the user with the address is an admin who logs in with a password
 */
export async function ensureAdmin(admin: Admin, { users, accounts }: Parts): Promise<boolean> {
  const account = createUserBody.parse({ ...admin, name })
  const present = await users.find({ email: account.email })
  if (present) return present.role === 'admin' && typeof present.issuer !== 'string'
  await registerAdmin(account, accounts)
  return true
}

/**
 * Creates the first admin of a database, unless it has one.
 *
 * @param save stores the password, in the transaction that creates the admin
 * @returns whether the admin was created
 */
export async function createFirstAdmin(
  admin: Admin,
  save: () => void,
  { users, accounts }: Parts,
): Promise<boolean> {
  if ((await users.find({ role: 'admin' })) !== undefined) return false
  return await registerAdmin({ ...admin, name }, accounts, save)
}

/** Registers an admin; false if another process has registered the address at the same time. */
async function registerAdmin(
  account: Parameters<Accounts['register']>[0],
  accounts: Pick<Accounts, 'register'>,
  save?: () => void,
): Promise<boolean> {
  try {
    await accounts.register(account, 'admin', () => Promise.resolve(save?.()))
    return true
  } catch (error) {
    if (isSallyportError(error) && error.code === 'EMAIL_TAKEN') return false
    throw error
  }
}
