/**
 * Handshakes: answers to the challenges by which services verify an endpoint. The handshakes are a separate entry to keep
 * bundles small.
 *
 * @module
 */
export { echo } from './echo.ts'
export { graphHandshake } from './graph.ts'
export { metaHandshake, type MetaHandshakeOptions } from './meta.ts'
export { oktaHandshake } from './okta.ts'
export { signedChallenge, type SignedChallengeOptions } from './signed-challenge.ts'
export { slackHandshake } from './slack.ts'
export { xHandshake } from './x.ts'
export { zoomHandshake } from './zoom.ts'
