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
  /** Writes the password where the developer finds it. */
  readonly keep: () => void
}

const name = 'Administrator'

/** What is wrong with the first admin, which has to be a user like any other; a line each, by the names of settings. */
export function adminProblems(admin: Admin): readonly string[] {
  const { error } = createUserBody.safeParse({ ...admin, name })
  return (error?.issues ?? []).map(({ path, message }) => `ADMIN_${path.join('_').toUpperCase()}: ${message}`)
}

/**
 * Creates the first admin, unless it is there: then it stays as it is.
 *
 * @returns what an operator should know, when its e-mail address is that of a user who is no admin
 */
export async function ensureAdmin(
  admin: Admin,
  { users, accounts }: { readonly users: Users; readonly accounts: Accounts },
): Promise<string | undefined> {
  const account = createUserBody.parse({ ...admin, name })
  const present = await users.find({ email: account.email })
  if (present?.role === 'admin') return undefined
  // What a user has become since is no reason to take no more webhooks.
  if (present) {
    return 'ADMIN_EMAIL is the address of a user who is no admin, and nobody was made one: name another, or unset it'
  }
  try {
    await accounts.register(account, 'admin')
  } catch (error) {
    // Another process that starts at the same time was faster.
    if (!isSallyportError(error) || error.code !== 'EMAIL_TAKEN') throw error
  }
  return undefined
}

/**
 * Creates the first admin of a development database, and keeps the password in the same transaction. A database with an
 * admin stays unchanged: a generated password would open no account of it.
 *
 * @returns whether the admin was created
 */
export async function ensureDevelopmentAdmin(
  { keep, ...admin }: DevelopmentAdmin,
  { users, accounts }: { readonly users: Users; readonly accounts: Accounts },
): Promise<boolean> {
  if ((await users.find({ role: 'admin' })) !== undefined) return false
  try {
    await accounts.register({ ...admin, name }, 'admin', () => {
      keep()
      return Promise.resolve()
    })
    return true
  } catch (error) {
    // Another process has created the admin at the same time, with another password.
    if (isSallyportError(error) && error.code === 'EMAIL_TAKEN') return false
    throw error
  }
}
