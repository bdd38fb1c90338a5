/**
 * Handshakes: answers to the challenges by which services verify an endpoint. The handshakes are a separate entry to keep
 * bundles small.
 *
 * @module
 */
export { cloudEventsHandshake, type CloudEventsHandshakeOptions } from './cloudevents.ts'
export { ebayHandshake, type EbayHandshakeOptions } from './ebay.ts'
export { echo } from './echo.ts'
export { echoHandshake, type EchoHandshakeOptions } from './echo-handshake.ts'
export { fixedHandshake, type FixedHandshakeOptions } from './fixed-handshake.ts'
export { graphHandshake } from './graph.ts'
export type { RequestPattern } from './match.ts'
export { metaHandshake, type MetaHandshakeOptions } from './meta.ts'
export { oktaHandshake } from './okta.ts'
export { secretHandshake } from './secret-handshake.ts'
export { isSignable, refuseSignable } from './signable.ts'
export { signedChallenge, type SignedChallengeOptions } from './signed-challenge.ts'
export { slackHandshake } from './slack.ts'
export { xHandshake } from './x.ts'
export { zoomHandshake } from './zoom.ts'
