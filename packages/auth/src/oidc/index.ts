/**
 * Logins at an issuer of OpenID Connect. Needs `openid-client`.
 *
 * @module
 */
export { getGroups, type OidcIdentity } from './identity.ts'
export { createOidcClient, type OidcClient } from './oidc-client.ts'
export { OidcError } from './oidc-error.ts'
export { createOidcLogin } from './oidc-login.ts'
