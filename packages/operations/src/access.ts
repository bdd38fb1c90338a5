import type { RouteAccess } from '@sallyport/rest'

/**
 * The permissions of an operator: `read` lists and shows, `replay` publishes events again, `erase` deletes content, and
 * `manage` changes settings.
 */
export type Permission = 'read' | 'replay' | 'erase' | 'manage'

/** The scopes of API keys, and the permission that the same routes need from an operator. */
export const scopePermissions = {
  'deliveries:read': 'read',
  'events:read': 'read',
  'statistics:read': 'read',
  'endpoints:read': 'read',
  'replays:write': 'replay',
  'deliveries:erase': 'erase',
  'endpoints:write': 'manage',
  'keys:write': 'manage',
  'audit:read': 'manage',
} as const satisfies Readonly<Record<string, Permission>>

/** A part of the API that an API key may use. */
export type Scope = keyof typeof scopePermissions

/** Labels of an endpoint by their names. */
export type EndpointLabels = Readonly<Record<string, string>>

/** The caller of the operations API. */
export interface Operator {
  /** Identifies the operator in rate limits, idempotency keys, the audit and logs. */
  readonly id: string
  /** The name of the operator in the audit. */
  readonly name?: string
  readonly permissions: readonly Permission[]
  /** Limits the operator to routes of these scopes, in addition to the permissions. @default no limit */
  readonly scopes?: readonly string[]
  /**
   * Limits the operator to endpoints that have all labels of one of the maps, and to what these endpoints received. Routes that
   * do not serve such operators answer 403, and everything of other endpoints is unknown.
   *
   * @default no limit
   */
  readonly endpoints?: readonly EndpointLabels[]
  /** The API key that the operator uses. @default none */
  readonly key?: { readonly id: string; readonly expiresAt: number | null }
}

/** Returns the operator from the caller that `authenticate` of the API returned. */
export type GetOperator = (caller: unknown) => Operator | Promise<Operator>

/**
 * Reports whether an operator may use the routes of a scope: by a permission and, if the operator has scopes, by the scope.
 */
export function hasScope({ permissions, scopes }: Operator, scope: Scope): boolean {
  return permissions.includes(scopePermissions[scope]) && (scopes === undefined || scopes.includes(scope))
}

/** Returns the access of the routes that need a permission, or an API key with a scope. */
export type GetAccess = (permission: Permission, scope: Scope) => Exclude<RouteAccess, 'public'>
