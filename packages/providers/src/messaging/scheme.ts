import { compactJson, hmac, signedTime, type SignatureScheme } from '@sallyport/webhooks'

/** By what is set up to send. Both sign the service's own compact serialization of the JSON. */
export const schemes: Readonly<Record<'rule' | 'application', (header: string) => SignatureScheme>> = {
  rule: (header) => hmac({ algorithm: 'sha1', encoding: 'base64', header, forms: compactJson }),
  application: (header) =>
    hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header,
      timestamp: signedTime({ header: 'x-front-request-timestamp', unit: 'ms' }),
      content: ({ timestamp, body }) => [timestamp, ':', body],
      forms: compactJson,
    }),
}
