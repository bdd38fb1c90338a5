import { formatSelector } from '@sallyport/internal/label-selector'
import { getPermissions, isUserRole, userRoles, type UserRole } from './roles.ts'

/** The role of a group at an issuer, and the limit of its users to endpoints. */
export interface GroupRole {
  readonly role: UserRole
  /** Labels of endpoints, such as `region=eu`; null without a limit. */
  readonly endpoints: string | null
}

/**
 * Reads the roles of groups at an issuer, such as `{"platform": "admin", "support": "read,replay"}`: a role, or all permissions
 * of one, also as a list. An object, such as `{"permissions": "read", "endpoints": {"region": "eu"}}`, has a limit to endpoints by
 * their labels as well; admins have none.
 *
 * @throws TypeError for text that is not such an object
 */
export function readGroupRoles(text: string): ReadonlyMap<string, GroupRole> {
  const parsed = parseObject(text)
  if (parsed === undefined || Object.keys(parsed).length === 0)
    throw new TypeError('has to be a JSON object with a role for each group')
  return new Map(Object.entries(parsed).map(([group, value]) => [group, readGroup(group, value)]))
}

function parseObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isMap(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readGroup(group: string, value: unknown): GroupRole {
  if (!isMap(value)) return { role: readRole(group, value), endpoints: null }
  const { permissions, endpoints, ...others } = value
  const role = readRole(group, permissions)
  if (role === 'admin' || Object.keys(others).length > 0 || !isMap(endpoints))
    throw new TypeError(`has to limit ${quote(group)} by "permissions" below admin and a map "endpoints"`)
  try {
    return { role, endpoints: formatSelector(endpoints) }
  } catch (error) {
    throw new TypeError(`has unusable endpoints of ${quote(group)}: ${(error as Error).message}`)
  }
}

const quote = (group: string): string => `the group ${JSON.stringify(group)}`

/** Each role has the permissions of the role before it. */
function readRole(group: string, value: unknown): UserRole {
  if (isUserRole(value)) return value
  const names = String(value)
    .split(',')
    .map((name) => name.trim())
  const role = userRoles.find((one) => {
    const permissions: readonly string[] = getPermissions({ role: one })
    return permissions.length === new Set(names).size && permissions.every((name) => names.includes(name))
  })
  if (role !== undefined) return role
  throw new TypeError(
    `has no role for ${quote(group)}: use one of ${userRoles.join(', ')}, or the permissions of one, such as "read,replay"`,
  )
}

/** Returns the highest role of the groups, with the endpoints of all groups with this role; undefined without one. */
export function findRole(
  groups: readonly string[],
  roles: ReadonlyMap<string, GroupRole>,
): GroupRole | undefined {
  const own = groups.flatMap((group) => roles.get(group) ?? [])
  const role = userRoles.findLast((one) => own.some((group) => group.role === one))
  if (role === undefined) return undefined
  const limits = own.flatMap((group) => (group.role === role ? [group.endpoints] : []))
  return { role, endpoints: limits.includes(null) ? null : [...new Set(limits)].toSorted().join(';') }
}
