/** What a process does of all that the server does; several processes on one database share the work. */
export const roles = ['api', 'gateway', 'dispatcher', 'drainer'] as const

export type Role = (typeof roles)[number]

/** The roles in a list of their names, `all` being all of them; undefined when a name is none, or there is no name. */
export function parseRoles(names: readonly string[]): ReadonlySet<Role> | undefined {
  const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name)
  const chosen = names.flatMap((name) => (name === 'all' ? roles : name))
  return chosen.length > 0 && chosen.every(isRole) ? new Set(chosen) : undefined
}
