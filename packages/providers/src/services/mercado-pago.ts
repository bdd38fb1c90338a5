import { defineService, hmac, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'
import { contents, timestamp } from '../mercado-pago-manifest.ts'

/** Mercado Pago: webhooks of an application. */
export const mercadoPago = defineService({
  name: 'mercado-pago',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-signature', { timestamp: 'ts', signature: 'v1' }),
    signedHeaders: ['x-request-id'],
    timestamp,
    content: contents,
    covers: ['data.id of the URL', 'x-request-id'],
  }),
  kind: (event) => {
    const { action, type } = Object(event) as Readonly<Record<string, unknown>>
    return action ?? type
  },
  id: 'id',
  subject: ['type', 'data.id'],
  time: 'date_created',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Mercado Pago',
  docs: 'https://www.mercadopago.com/developers/en/docs/your-integrations/notifications/webhooks',
  confidence: 'primary',
  setup: [
    'Open Your integrations, the application, Webhooks, and enter the address and the events.',
    'The secret is the secret signature that the page shows.',
    'Set the public address of the server exactly as it is entered.',
  ],
  retries: 'every 15 minutes, then with longer delays',
  covers: 'the id of the resource in the URL and the id of the request, not the body',
  traps: [
    'The body is not signed: read the resource again with the API.',
    'Notifications of QR codes and IPN are not signed: the provider refuses them.',
  ],
}
