import {
  defineService,
  parseJson,
  parseJwtClaims,
  startsLikeJson,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** Kinde: webhooks of an environment. */
export const kinde = defineService({
  name: 'kinde',
  signature: jwt({
    algorithms: ['RS256'],
    keySet: (secret) => secret,
    // A retry can repeat the token.
    toleranceSeconds: 86_400,
    // The keys also sign the tokens of users.
    check: ({ event_id: id, source }) => typeof id === 'string' && typeof source === 'string',
  }),
  parse: (body, integers) =>
    startsLikeJson(body) ? parseJson(body, integers) : parseJwtClaims(body, integers),
  kind: 'type',
  id: 'event_id',
  subject: (event) => readSubject(event),
  time: 'timestamp',
})

interface Entity {
  readonly id?: string
  readonly code?: string
  readonly user_id?: string
}

function readSubject(event: unknown): string | undefined {
  const { data } = Object(event) as { readonly data?: Readonly<Record<string, Entity>> }
  const [entity] = Object.values(data ?? {})
  return entity?.id ?? entity?.code ?? entity?.user_id
}

export const facts: ServiceFacts = {
  title: 'Kinde',
  docs: 'https://docs.kinde.com/integrate/webhooks/about-webhooks/',
  checked: '2026-11',
  sources: [
    'https://github.com/kinde-oss/webhook/blob/main/lib/types.ts',
    'https://docs.kinde.com/integrate/webhooks/about-webhooks/',
  ],
  identity: 'https://docs.kinde.com/integrate/webhooks/about-webhooks/',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address and the events.',
    'The secret is the URL of your key set: `https://<your subdomain>.kinde.com/.well-known/jwks`. It is not confidential: Kinde signs with its own key.',
  ],
  retries: 'several times with growing delays, until the status is 200',
  traps: [
    'The body is a JSON Web Token, and the data are its claims.',
    'The same keys sign the tokens of users: the provider refuses a token without the id and the source of an event.',
  ],
}
