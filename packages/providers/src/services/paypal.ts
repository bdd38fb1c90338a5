import { defineService, rsa, type ServiceFacts } from '@sallyport/webhooks'
import { crc32, createKeyLookup, fetchDocument, readCertificateKey } from '@sallyport/webhooks/keys'

const id = 'paypal-transmission-id'
const time = 'paypal-transmission-time'
const certificate = 'paypal-cert-url'
const hosts = [/^api(?:-m)?(?:\.sandbox)?\.paypal\.com$/]
// Other addresses of PayPal could return documents of its customers.
const address = /^https:\/\/api(?:-m)?(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[\w-]{1,128}$/

const findKey = createKeyLookup({
  async load(url) {
    const { key, notBefore, notAfter } = readCertificateKey(await fetchDocument(url, { hosts }))
    if (Date.now() < notBefore || Date.now() > notAfter) throw new Error('The certificate is not valid now')
    return key
  },
})

/** PayPal: webhooks of a REST app. */
export const paypal = defineService({
  name: 'paypal',
  signature: rsa({
    header: 'paypal-transmission-sig',
    encoding: 'base64',
    keyEncoding: 'der',
    signedHeaders: [id, time],
    content: ({ headers, secret, body }) => [
      `${headers.get(id)}|${headers.get(time)}|${secret}|${crc32(body)}`,
    ],
    covers: ['the CRC-32 of the body', id, time],
    async keys(_, { headers }) {
      const url = headers.get(certificate) ?? ''
      return address.test(url) ? [(await findKey(url)) ?? []].flat() : []
    },
  }),
  kind: 'event_type',
  id: 'id',
  subject: ['resource_type', 'resource.id'],
  time: 'create_time',
})

export const facts: ServiceFacts = {
  title: 'PayPal',
  docs: 'https://developer.paypal.com/api/rest/webhooks/rest/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.paypal.com/api/rest/webhooks/rest/',
    'https://developer.paypal.com/api/rest/webhooks/simulator/',
    'https://developer.paypal.com/api/webhooks/v1/definitions/verify_webhook_signature',
  ],
  identity: 'https://developer.paypal.com/api/webhooks/v1/definitions/verify_webhook_signature',
  setup: [
    'Open the Developer Dashboard, Apps & Credentials, the app, and add a webhook with the address.',
    'The secret is the webhook id that the dashboard shows. It is not secret: PayPal signs with its own key.',
    'Name `paypal` in `allowUnsigned`: the signature covers 32 bits of the body only.',
  ],
  retries: 'up to 25 times in 3 days',
  covers: 'the id and the time of the transmission, the webhook id, and the CRC-32 of the body',
  traps: [
    'The signature binds 32 bits of the body: read the resource from the API before a payment counts.',
    'Events of the webhook simulator are signed for the webhook id `WEBHOOK_ID`, and are refused with another secret.',
  ],
}
