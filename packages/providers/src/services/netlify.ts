import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'
import { agreesWithState, netlifyEvents } from '../netlify-events.ts'

/** Netlify: HTTP POST notifications of a site. */
export const netlify = defineService({
  name: 'netlify',
  signature: jwt({
    header: 'x-webhook-signature',
    algorithms: ['HS256'],
    claim: 'sha256',
    claims: { iss: 'netlify' },
    requiredClaims: [],
  }),
  kind: { header: 'x-netlify-event' },
  subject: ['site_id', 'id'],
  time: ['updated_at', 'created_at'],
  names: netlifyEvents,
  agrees: agreesWithState,
})

export const facts: ServiceFacts = {
  title: 'Netlify',
  docs: 'https://docs.netlify.com/site-deploys/notifications/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.netlify.com/site-deploys/notifications/'],
  setup: [
    'Open Project configuration, Notifications, and add a notification of the type HTTP POST request with the event and the address.',
    'Enter a random text as the JWS secret token. It is the secret.',
  ],
  retries: 'unknown',
  traps: [
    'The name of the event is in a header that is not signed. It must agree with the signed body: a form submission, or a deploy and its state.',
    'A captured deploy can still become another event of its state, such as `deploy_deleted` for `deploy_created`: set `only` of an endpoint to one event, and read the deploy with the API before you act on it.',
    'The token has no time: a captured delivery verifies without a limit, and is a duplicate.',
    'Without a JWS secret, Netlify signs nothing, and the provider refuses the delivery.',
  ],
}
