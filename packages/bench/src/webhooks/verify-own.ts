import { codehost } from '@sallyport/providers/codehost'
import { stripe } from '@sallyport/providers/stripe'
import { standardWebhooks, type SignatureScheme } from '@sallyport/webhooks'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Side } from '../frame/benchmark.ts'

/** A body, the secrets from newest to oldest, and the headers in each scheme, signed with the oldest secret. */
export interface Signed {
  readonly body: Buffer
  readonly text: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<'github' | 'stripe' | 'standard', Record<string, string>>>
}

/** A library that verifies deliveries. */
export interface Verifier extends Side {
  readonly create: (signed: Signed) => () => boolean | Promise<boolean>
}

const schemes = {
  github: codehost.signature,
  stripe: stripe.signature,
  standard: standardWebhooks(),
} satisfies Record<string, SignatureScheme>

/** Creates a secret that all schemes accept: a prefix and base64. */
export const createSecret = (number: number): string => `whsec_${Buffer.alloc(32, number).toString('base64')}`

export async function signBody(body: Buffer, secrets: readonly string[]): Promise<Signed> {
  const delivery = { method: 'POST', headers: new Headers(), body }
  const sign = async (scheme: SignatureScheme) => ({
    ...(await scheme.sign(delivery, secrets.at(-1) ?? '', Date.now())),
  })
  const headers = {
    github: await sign(schemes.github),
    stripe: await sign(schemes.stripe),
    standard: await sign(schemes.standard),
  }
  return { body, text: body.toString(), secrets, headers }
}

export const bare: Verifier = {
  name: 'createHmac and timingSafeEqual',
  does: "By hand in GitHub's scheme with node:crypto, until a secret matches.",
  create({ body, secrets, headers }) {
    const given = Buffer.from(headers.github['x-hub-signature-256'] ?? '')
    return () =>
      secrets.some((secret) => {
        const digest = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
        return digest.length === given.length && timingSafeEqual(digest, given)
      })
  },
}

function own(name: string, scheme: keyof typeof schemes, does: string): Verifier {
  return {
    name,
    does,
    create({ body, secrets, headers }) {
      const delivery = { method: 'POST', headers: new Headers(headers[scheme]), body }
      return () => {
        const verification = schemes[scheme].verify(delivery, secrets, Date.now())
        return verification instanceof Promise
          ? verification.then(({ verified }) => verified)
          : verification.verified
      }
    },
  }
}

const always =
  'Reads the headers, compares with every secret in constant time, and returns the reason of a failure.'

export const ours = {
  github: own('@sallyport/webhooks', 'github', `In GitHub's scheme. ${always}`),
  stripe: own('@sallyport/webhooks, Stripe', 'stripe', `In Stripe's scheme with a timestamp. ${always}`),
  standard: own(
    '@sallyport/webhooks, Standard Webhooks',
    'standard',
    `In the scheme of Standard Webhooks with an id and a timestamp. ${always}`,
  ),
}
