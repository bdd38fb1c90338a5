/**
 * Handshakes: answers to the challenges by which services verify an endpoint. The handshakes are a separate entry to keep
 * bundles small.
 *
 * @module
 */
export { cloudEventsHandshake } from './cloudevents.ts'
export { ebayHandshake } from './ebay.ts'
export { echo } from './echo.ts'
export { echoHandshake } from './echo-handshake.ts'
export { fixedHandshake } from './fixed-handshake.ts'
export { graphHandshake } from './graph.ts'
export { metaHandshake } from './meta.ts'
export { oktaHandshake } from './okta.ts'
export { secretHandshake } from './secret-handshake.ts'
export { isSignable, refuseSignable } from './signable.ts'
export { signedChallenge } from './signed-challenge.ts'
export { slackHandshake } from './slack.ts'
export { xHandshake } from './x.ts'
export { zoomHandshake } from './zoom.ts'
