import type { Schemas } from '../api/client.ts'

export type Role = Schemas['User']['role']

/** The roles from the least to the most permissions. */
export const roles: readonly { readonly id: Role; readonly label: string; readonly may: string }[] = [
  { id: 'user', label: 'User', may: 'Cannot use the console.' },
  {
    id: 'viewer',
    label: 'Viewer',
    may: 'Reads everything but secrets and the audit log, also personal data.',
  },
  { id: 'support', label: 'Support', may: 'Reads like a viewer, and replays, retries and cancels.' },
  { id: 'operator', label: 'Operator', may: 'Does the work of support, and erases content.' },
  { id: 'admin', label: 'Admin', may: 'Does everything, and manages users, keys, endpoints and secrets.' },
]

export const getRole = (id: Role) => roles.find((role) => role.id === id) ?? { label: id, may: '' }

/** Returns the role with the name of a choice. */
export const toRole = (name: string): Role => roles.find(({ id }) => id === name)?.id ?? 'user'
