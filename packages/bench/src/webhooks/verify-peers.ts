import { WebhookVerificationService } from '@hookflo/tern'
import { verify, verifyWithFallback } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import type { Verifier } from './verify-own.ts'

const octokit: Verifier = {
  name: '@octokit/webhooks-methods',
  does: "In GitHub's scheme, over already decoded text; two secrets with verifyWithFallback.",
  create({ text, secrets, headers }) {
    const signature = headers.github['x-hub-signature-256'] ?? ''
    const [first = '', ...others] = secrets
    return others.length === 0
      ? () => verify(first, text, signature)
      : () => verifyWithFallback(first, text, signature, others)
  },
}

const tern: Verifier = {
  name: '@hookflo/tern',
  does: "In GitHub's scheme, from a new fetch Request per call; also parses the JSON. Supports one secret: called once per secret.",
  create({ text, secrets, headers }) {
    const attempt = async (secret: string) => {
      const request = new Request('http://localhost/', {
        method: 'POST',
        headers: headers.github,
        body: text,
      })
      const { isValid } = await WebhookVerificationService.verifyWithPlatformConfig(request, 'github', secret)
      return isValid
    }
    return async () => {
      for (const secret of secrets) if (await attempt(secret)) return true
      return false
    }
  },
}

/** Wraps a library that throws and supports one secret. */
function throwing(name: string, does: string, create: Throwing): Verifier {
  return {
    name,
    does: `${does} Supports one secret: called once per secret, and throws for a wrong one.`,
    create({ text, secrets, headers }) {
      const attempts = secrets.map((secret) => create(secret, text, headers))
      return () =>
        attempts.some((attempt) => {
          try {
            attempt()
            return true
          } catch {
            return false
          }
        })
    },
  }
}

type Throwing = (
  secret: string,
  text: string,
  headers: Parameters<Verifier['create']>[0]['headers'],
) => () => unknown

const stripe = throwing('stripe', "In Stripe's scheme; also parses the JSON.", (secret, text, headers) => {
  const signature = headers.stripe['stripe-signature'] ?? ''
  return () => Stripe.webhooks.constructEvent(text, signature, secret)
})

const svix = throwing(
  'svix',
  'In the scheme of Standard Webhooks; also parses the JSON.',
  (secret, text, headers) => {
    const webhook = new SvixWebhook(secret)
    return () => {
      webhook.verify(text, headers.standard)
    }
  },
)

const standard = throwing('standardwebhooks', 'The same.', (secret, text, headers) => {
  const webhook = new StandardWebhook(secret)
  return () => webhook.verify(text, headers.standard)
})

export const peers = { octokit, tern, stripe, svix, standard }
