import { defineService, hmac, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'
import { contents, timestamp } from '../mercado-pago-manifest.ts'

/** Mercado Pago: webhooks of an application. */
export const mercadoPago = defineService({
  name: 'mercado-pago',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-signature', { timestamp: 'ts', signature: 'v1' }),
    timestamp,
    content: contents,
    covers: ['data.id of the URL', 'x-request-id'],
  }),
  kind: (event) => {
    const { action, type } = Object(event) as Readonly<Record<string, unknown>>
    return action ?? type
  },
  subject: ['type', 'data.id'],
  time: 'date_created',
})

export const facts: ServiceFacts = {
  title: 'Mercado Pago',
  docs: 'https://www.mercadopago.com/developers/en/docs/your-integrations/notifications/webhooks',
  checked: '2026-11',
  sources: [
    'https://github.com/mercadopago/sdk-nodejs/blob/master/src/utils/webhook/index.ts',
    'https://www.mercadopago.com.ar/developers/en/guides/notifications/webhooks/',
  ],
  confidence: 'primary',
  setup: [
    'Open Your integrations, the application, Webhooks, and enter the address and the events.',
    'The secret is the secret signature that the page shows.',
    'Set the public address of the server exactly as it is entered.',
  ],
  retries: '5 and 45 minutes, 6 hours, 2 and 4 days after the first attempt',
  covers: 'the id of the resource in the URL and the id of the request, not the body',
  traps: [
    'The body is not signed: read the resource again with the API. A body about another resource than the signed `data.id` of the URL is refused.',
    'The service does not say whether an attempt renews the signed time: the provider accepts it for 5 days.',
    'Notifications of QR codes and IPN are not signed: the provider refuses them.',
  ],
}
