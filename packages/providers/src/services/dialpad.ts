import {
  defineService,
  parseJson,
  parseJwtClaims,
  startsLikeJson,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** Dialpad: event subscriptions of a webhook with a secret. */
export const dialpad = defineService({
  name: 'dialpad',
  signature: jwt({ algorithms: ['HS256'] }),
  // Samples have the claims.
  parse: (body, integers) =>
    startsLikeJson(body) ? parseJson(body, integers) : parseJwtClaims(body, integers),
  kind: 'state',
  ignore: ['iat'],
  subject: 'call_id',
  time: ['event_timestamp', 'date_started'],
})

export const facts: ServiceFacts = {
  title: 'Dialpad',
  docs: 'https://developers.dialpad.com/docs/call-events',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.dialpad.com/docs/call-events',
    'https://github.com/dialpad/dialpad-python-sdk/blob/main/src/dialpad/resources/webhooks_resource.py',
    'https://developers.dialpad.com/docs/webhook-delivery-failures',
    'https://developers.dialpad.com/v1.0-archive/reference/call_event_subscriptioncreateorupdate',
  ],
  setup: [
    'Create a webhook with the address and a random text as `secret` with the API, and then a subscription with the id of the webhook.',
    'The secret is this `secret`. Without one, Dialpad signs nothing, and the provider refuses the delivery.',
  ],
  retries:
    'after a 5xx: calls three times within 14 seconds, SMS ten times within about 4 hours, other events four times within 2 seconds. A 4xx is final',
  traps: [
    'The body is a JSON Web Token: the event is its claims.',
    'The kind is the `state` of a call. Other subscriptions, such as SMS, have no name in the payload: their events are `unknown`.',
    'The token has no time that is required: a captured delivery verifies without a limit, and is a duplicate.',
  ],
}
