import type { Caller } from './context.ts'

/** What a user may do in an operations API. */
type Permission = 'read' | 'replay' | 'erase' | 'manage'

const rolePermissions = {
  user: [],
  viewer: ['read'],
  support: ['read', 'replay'],
  operator: ['read', 'replay', 'erase'],
  admin: ['read', 'replay', 'erase', 'manage'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>

export type UserRole = keyof typeof rolePermissions

export const userRoles = Object.keys(rolePermissions) as [UserRole, ...UserRole[]]

export const isUserRole = (name: unknown): name is UserRole => userRoles.some((role) => role === name)

/**
 * Returns what a caller may do in an operations API: a user what the role permits, an API key what its owner may do. The
 * scopes of a key limit it further.
 */
export const getPermissions = ({ role = 'admin' }: Pick<Caller, 'role'>): readonly Permission[] =>
  rolePermissions[role]

/** The parts of the access of a route. */
interface ReadAccess {
  /** The roles of users who may use the route. */
  readonly roles: readonly UserRole[]
  /** The scopes of API keys that may use the route. */
  readonly scopes: readonly string[]
}

/** Reads the `roles` of the access of a route, which name roles and permissions of users and scopes of API keys. */
export function readAccess(names: readonly string[]): ReadAccess {
  const isPermission = (name: string) => rolePermissions.admin.some((permission) => permission === name)
  return {
    roles: userRoles.filter(
      (role) =>
        names.includes(role) || getPermissions({ role }).some((permission) => names.includes(permission)),
    ),
    scopes: names.filter((name) => !isUserRole(name) && !isPermission(name)),
  }
}
