/** The tasks of a process; processes with different roles on one database share the work. */
export const roles = ['api', 'gateway', 'dispatcher', 'drainer'] as const

export type Role = (typeof roles)[number]

/** Parses names of roles; `all` means every role. Returns undefined for an unknown name or an empty list. */
export function parseRoles(names: readonly string[]): ReadonlySet<Role> | undefined {
  const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name)
  const chosen = names.flatMap((name) => (name === 'all' ? roles : name))
  return chosen.length > 0 && chosen.every(isRole) ? new Set(chosen) : undefined
}
