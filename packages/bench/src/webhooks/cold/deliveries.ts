import { samples as samplesOfGitHub } from '@sallyport/providers/codehost/samples'
import { samples as samplesOfStripe } from '@sallyport/providers/payments/samples'
import { createSecret, signBody } from '../verify-own.ts'
import type { Environment } from './environment.ts'

export interface ColdDelivery {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const secret = createSecret(1)

export const environment: Environment = { GITHUB_SECRET: secret, STRIPE_SECRET: secret }

async function createDelivery(
  service: 'github' | 'stripe',
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
): Promise<ColdDelivery> {
  const { text, headers: signed } = await signBody(Buffer.from(JSON.stringify(body)), [secret])
  const path = `/webhooks/${service}`
  return { path, headers: { ...headers, 'content-type': 'application/json', ...signed[service] }, body: text }
}

/** Creates a signed delivery of 21 KB from GitHub, and one from Stripe. */
export const createDeliveries = async (): Promise<readonly [github: ColdDelivery, stripe: ColdDelivery]> => [
  await createDelivery('github', samplesOfGitHub.sample('workflow_run.completed')),
  await createDelivery('stripe', samplesOfStripe.sample('payment.succeeded')),
]

/** Adds a space to the body, so that the signature is wrong. */
export const forge = (delivery: ColdDelivery): ColdDelivery => ({ ...delivery, body: `${delivery.body} ` })
