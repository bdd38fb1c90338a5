import { defineService, parseJson, type BuildContent, type ServiceFacts } from '@sallyport/webhooks'
import { detachedJws } from '@sallyport/webhooks/jwt'

/** The method and the path, the headers that the token lists, and the body. */
const signedRequest: BuildContent = ({ method, url, headers, body }) => {
  const lines = listHeaders(headers.get('tl-signature') ?? '').map(
    (name) => `${name}: ${headers.get(name) ?? ''}\n`,
  )
  return [`${method} ${new URL(url).pathname}\n`, ...lines, body]
}

function listHeaders(token: string): readonly string[] {
  const [header = ''] = token.split('.', 1)
  const bytes = Uint8Array.from(atob(header.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  )
  const { tl_headers: names } = (bytes.length > 0 ? parseJson(bytes) : {}) as { tl_headers?: unknown }
  return typeof names === 'string' ? names.split(',', 32).filter((name) => /^[\w-]+$/.test(name)) : []
}

/** TrueLayer: webhooks of payments. */
export const truelayer = defineService({
  name: 'truelayer',
  signature: detachedJws({
    header: 'tl-signature',
    algorithms: ['ES512'],
    keySet: (secret) => secret,
    content: signedRequest,
  }),
  kind: 'type',
  id: 'event_id',
  subject: ['payment_id', 'payout_id', 'refund_id', 'mandate_id'],
  time: (event) => {
    const members = Object.entries(Object(event) as Readonly<Record<string, unknown>>)
    return members.find(([name]) => /_(?:at|on)$/.test(name))?.[1]
  },
})

export const facts: ServiceFacts = {
  title: 'TrueLayer',
  docs: 'https://docs.truelayer.com/docs/handle-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.truelayer.com/docs/handle-webhooks',
    'https://docs.truelayer.com/docs/webhook-notifications-paydirect',
    'https://docs.truelayer.com/docs/webhook-notifications',
    'https://github.com/TrueLayer/truelayer-signing/blob/main/nodejs/src/lib.ts',
  ],
  identity: 'https://docs.truelayer.com/docs/webhook-notifications',
  setup: [
    'Open the Console, the application, Payments, Settings, and enter the address as webhook URI.',
    'The secret is the URL of the key set: `https://webhooks.truelayer.com/.well-known/jwks`, or `https://webhooks.truelayer-sandbox.com/.well-known/jwks`.',
    'Set the public address of the server exactly as it is entered: TrueLayer signs its path.',
  ],
  retries: 'for up to 72 hours with growing delays',
  traps: [
    'The signature covers the path and the headers that the token lists. The provider does not check the age of the signed time.',
  ],
}
