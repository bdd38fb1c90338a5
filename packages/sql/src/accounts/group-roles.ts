import { getPermissions, isUserRole, userRoles, type UserRole } from './roles.ts'

/**
 * Reads the roles of groups at an issuer, such as `{"platform": "admin", "support": "read,replay"}`: a role, or all permissions
 * of one, also as a list.
 *
 * @throws TypeError for text that is not such an object
 */
export function readGroupRoles(text: string): ReadonlyMap<string, UserRole> {
  const parsed = parseObject(text)
  if (parsed === undefined || Object.keys(parsed).length === 0)
    throw new TypeError('has to be a JSON object with a role for each group')
  return new Map(Object.entries(parsed).map(([group, value]) => [group, readRole(group, value)]))
}

function parseObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

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
    `has no role for the group ${JSON.stringify(group)}: use one of ${userRoles.join(', ')}, or the permissions of one, such as "read,replay"`,
  )
}

/** Returns the highest role of the groups; undefined without one. */
export const findRole = (
  groups: readonly string[],
  roles: ReadonlyMap<string, UserRole>,
): UserRole | undefined => userRoles.findLast((role) => groups.some((group) => roles.get(group) === role))
