/**
 * The signature scheme of services that send a JSON Web Token over the body's hash. An entry of its own, so that jose is
 * loaded only where it is needed.
 *
 * @module
 */
export { jwt, type JwtOptions } from '../schemes/jwt.ts'
