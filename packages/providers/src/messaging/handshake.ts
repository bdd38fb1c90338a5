import { echo, signedChallenge } from '@sallyport/webhooks/handshakes'
import { textAt } from '../fields.ts'

/**
 * Echoes the challenge that comes whenever an application's webhook is saved.
 *
 * The request is signed as deliveries are: whoever cannot sign gets nothing echoed. The challenge's header is not
 * signed, the body that goes with it is (`{ "type": "sync" }`): a header added to a delivery does not swallow it.
 *
 * @see https://dev.frontapp.com/docs/application-webhooks
 */
export const challengeEcho = signedChallenge({
  mark: '"sync"',
  answer: (payload, { headers }) =>
    textAt(payload, 'type') === 'sync' ? echo(headers.get('x-front-challenge')) : undefined,
})
