/**
 * Amazon SNS: the signature scheme, and the handshake that confirms a subscription.
 *
 * @module
 */
export { snsHandshake, type SnsHandshakeOptions } from '../handshakes/sns.ts'
export { sns, type SnsOptions } from '../schemes/sns.ts'
