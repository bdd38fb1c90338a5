/**
 * Ready-made answers to the challenges by which services make sure that an address is yours. An entry of its own, so
 * that only who needs one has it in a bundle.
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
