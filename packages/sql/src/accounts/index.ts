/**
 * Accounts of a REST API in a database: users, registration, logins, invitations and API keys.
 *
 * @module
 */
export type { AccountsOptions, OpenedAccounts } from './account-options.ts'
export type { Caller, RequestContext } from './context.ts'
export type { SecurityEvent } from './events.ts'
export { findAdminProblems, type Admin } from './first-admin.ts'
export { openAccounts } from './open-accounts.ts'
export { getPermissions, readAccess } from './roles.ts'
export { readGroupRoles } from './group-roles.ts'
export type { AccountTables, UserRow } from './tables.ts'
export type { Users } from './users.ts'
