/**
 * Amazon SNS: the signature scheme, and the handshake that confirms a subscription.
 *
 * @module
 */
export { snsHandshake } from '../handshakes/sns.ts'
export { sns } from '../schemes/sns.ts'
