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
   * Limits the operator to endpoints with labels, such as `region=eu,plan=gold`, and to what these endpoints received; a semicolon
   * separates alternatives. Everything of other endpoints is unknown, and routes that do not serve such operators answer 403.
   *
   * @default no limit
   */
  readonly endpoints?: string
  /** The API key that the operator uses. @default none */
  readonly key?: {
    readonly id: string
    readonly expiresAt: number | null
    /** Limits the operator further, like `endpoints` of the operator. @default no limit */
    readonly endpoints?: string | null
  }
}

/** Returns the limits to endpoints that an operator has, all of which apply; undefined without one. */
export function findLimit({ endpoints, key }: Operator): readonly string[] | undefined {
  const limits = [endpoints, key?.endpoints].filter((limit) => typeof limit === 'string')
  return limits.length === 0 ? undefined : limits
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
