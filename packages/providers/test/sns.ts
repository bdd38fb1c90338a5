import type { Service } from '@sallyport/webhooks'
import { createPrivateKey, sign } from 'node:crypto'
import { certificate, privateKey } from './paypal-certificate.ts'

type Members = Readonly<Record<string, string>>

/** Answers requests for the certificate of Amazon. */
export const answerWithCertificate = (): Promise<Response> => Promise.resolve(new Response(certificate))

/** Signs a message of version 2 by the recipe of Amazon: each member on two lines, in alphabetic order. */
export function signSnsMessage(body: Uint8Array): Uint8Array {
  const members = JSON.parse(new TextDecoder().decode(body)) as Members
  const text = Object.keys(members)
    .toSorted()
    .map((name) => `${name}\n${members[name]}\n`)
    .join('')
  return Buffer.from(
    JSON.stringify({
      ...members,
      SignatureVersion: '2',
      Signature: sign('sha256', Buffer.from(text), createPrivateKey(privateKey)).toString('base64'),
      SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem',
    }),
  )
}

/** Gives a provider the key of the test, as only Amazon has the key of its certificate. */
export const withTestKey = (provider: Service): Service => ({
  ...provider,
  signature: {
    ...provider.signature,
    sign: () => ({}),
    signBody: ({ body }: { readonly body: Uint8Array }) => signSnsMessage(body),
  },
})
