/**
 * The signature scheme of services that send a JSON Web Token over the body's hash. The scheme is a separate
 * entry, so that other bundles do not contain jose.
 *
 * @module
 */
export { jwt, type JwtOptions } from '../schemes/jwt.ts'
