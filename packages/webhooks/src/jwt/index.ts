/**
 * The signature scheme of services that send a JSON Web Token over the body's hash, a detached signature, or a
 * signature with a chain of certificates. The schemes are a separate entry, so that other bundles do not contain jose.
 *
 * @module
 */
export { jwt } from '../schemes/jwt.ts'
export { detachedJws } from '../schemes/detached-jws.ts'
export { certificateChain } from '../schemes/certificate-chain.ts'
