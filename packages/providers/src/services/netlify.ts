import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

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
  id: ['id', (event) => readState(event)],
  subject: ['site_id', 'id'],
  time: (event) => readTime(event),
  agrees: ({ headers, payload }) => {
    const [, state] = /^deploy_(building|failed)$/.exec(headers.get('x-netlify-event') ?? '') ?? []
    return state === undefined || states[state] === (Object(payload) as Holder).state
  },
})

interface Holder {
  readonly state?: string
  readonly updated_at?: string
  readonly created_at?: string
}

/** The state of the deploy by the last part of the event, for the events that one state determines. */
const states: Readonly<Record<string, string>> = { building: 'building', failed: 'error' }

const readTime = (event: unknown): string | undefined => {
  const { updated_at: updated, created_at: created } = Object(event) as Holder
  return updated ?? created
}

/** A deploy is sent several times: its state and its time distinguish the events. A form submission has only a time. */
const readState = (event: unknown): string =>
  `${(Object(event) as Holder).state ?? ''} ${readTime(event) ?? ''}`

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Netlify',
  docs: 'https://docs.netlify.com/site-deploys/notifications/',
  confidence: 'primary',
  setup: [
    'Open Project configuration, Notifications, and add a notification of the type HTTP POST request with the event and the address.',
    'Enter a random text as the JWS secret token. It is the secret.',
  ],
  traps: [
    'The name of the event is in a header that is not signed. The state in the signed body is compared for `deploy_building` and `deploy_failed`.',
    'The token has no time: a captured delivery verifies without a limit, and is a duplicate.',
    'Without a JWS secret, Netlify signs nothing, and the provider refuses the delivery.',
  ],
}
