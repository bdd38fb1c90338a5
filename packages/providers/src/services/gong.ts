import { defineService, type ServiceFacts, type SignatureScheme } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

const token: SignatureScheme = jwt({
  header: 'authorization',
  prefix: 'Bearer ',
  algorithms: ['RS256'],
  claim: 'body_sha256',
  requiredClaims: [],
  check: ({ webhook_url: claimed }, { url }) => url === undefined || readPath(claimed) === readPath(url),
  createClaims: ({ url }) => (url === undefined ? {} : { webhook_url: url }),
})

/** Gong writes the address of the rule without a trailing slash and without the query. */
function readPath(url: unknown): string | undefined {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed ? parsed.origin + parsed.pathname.replace(/\/$/, '') : undefined
}

/** Gong shows its key as the base64 of a PEM, without the first and the last line. */
const toPem = (key: string): string =>
  key === '' || key.includes('-----') ? key : `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`

/** Gong: webhooks of automation rules with a signed JWT header. */
export const gong = defineService({
  name: 'gong',
  signature: {
    ...token,
    verify: (delivery, secrets, now) => token.verify(delivery, secrets.map(toPem), now),
    checkSecret: (secret) => token.checkSecret?.(toPem(secret)),
  },
  kind: () => 'call',
  subject: 'callData.metaData.id',
  time: ['callData.metaData.started', 'callData.metaData.scheduled'],
})

export const facts: ServiceFacts = {
  title: 'Gong',
  docs: 'https://help.gong.io/hc/en-us/articles/360042061791',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://help.gong.io/hc/en-us/articles/360042061791',
    'https://github.com/NangoHQ/nango/blob/master/packages/server/lib/webhook/gong-webhook-routing.ts',
    'https://github.com/simstudioai/sim/tree/main/apps/sim/lib/webhooks/providers',
  ],
  setup: [
    'Open Automation Rules, and create a rule with the action Fire webhook, the address and Signed JWT header.',
    'The secret is the public key that the rule shows, with or without the lines of PEM. Each rule has its own key: configure each as a secret.',
  ],
  retries: 'unknown',
  traps: [
    'There is one kind: the payload does not name the rule. Give each rule its own address to tell them apart.',
    'A rule with the authentication by URL signs nothing, and the provider refuses its deliveries.',
    'A test from the user interface has `isTest: true`.',
  ],
}
